FROM node:20-alpine AS build
WORKDIR /source
COPY package.json package-lock.json ./
# No script of a dependency is needed (see allowScripts in package.json).
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm pack && \
    npm install --global --prefix /package --omit=dev --no-audit --no-fund usage-billing-mock-*.tgz

FROM node:20-alpine
COPY --from=build /package /usr/local
# Outside the container nobody reaches a loopback address. On this one the control plane demands a
# token: USAGE_BILLING_MOCK_CONTROL_TOKEN, or one that is made and printed.
ENV USAGE_BILLING_MOCK_HOST=0.0.0.0 \
    USAGE_BILLING_MOCK_PORT=4010
EXPOSE 4010
# One start keeps what it has compiled, which no start of the image's user could write.
RUN (timeout 3 usage-billing-mock --log-level silent || true) && \
    ls /usr/local/lib/node_modules/usage-billing-mock/dist/compiled/*
USER node
WORKDIR /home/node
# It asks over https if the mock has a certificate, of which it checks nothing.
HEALTHCHECK --interval=3s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "const { USAGE_BILLING_MOCK_PORT: port, USAGE_BILLING_MOCK_TLS_CERT: cert } = process.env; \
    const ask = ([scheme, ...others]) => require(scheme) \
      .get({ host: '127.0.0.1', port, path: '/__control/health', rejectUnauthorized: false }, ({ statusCode }) => end(statusCode === 200, others)) \
      .on('error', () => end(false, others)); \
    const end = (isHealthy, others) => isHealthy || others.length === 0 ? process.exit(isHealthy ? 0 : 1) : ask(others); \
    ask(cert ? ['https'] : ['http', 'https']);"]
ENTRYPOINT ["usage-billing-mock"]
