# Builds from the package, not from a clone. The packed one is the whole context, this file included:
#   docker build --tag usage-billing-mock --file package/Dockerfile - < usage-billing-mock-0.1.0.tgz
# A published one is installed by its name:
#   docker build --tag usage-billing-mock --build-arg PACKAGE=usage-billing-mock@0.1.0 - < Dockerfile
FROM node:24-alpine
ARG PACKAGE=/context/package
# Outside the container nobody reaches a loopback address. On this one the control plane demands a
# token: USAGE_BILLING_MOCK_CONTROL_TOKEN, or one that is made and printed.
ENV USAGE_BILLING_MOCK_HOST=0.0.0.0 \
    USAGE_BILLING_MOCK_PORT=4010
EXPOSE 4010
RUN --mount=type=bind,target=/context \
    npm install --global --install-links --ignore-scripts --no-audit --no-fund "$PACKAGE" && \
    npm cache clean --force && \
    mkdir -m 777 "$(npm root --global)/usage-billing-mock/dist/compiled"
USER node
WORKDIR /home/node
# Node keeps what it compiles in one start, for each user apart.
RUN timeout 5 usage-billing-mock --log-level silent || true
# It asks over https if the mock has a certificate, of which it checks nothing.
HEALTHCHECK --interval=3s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "const { USAGE_BILLING_MOCK_PORT: port, USAGE_BILLING_MOCK_TLS_CERT: cert } = process.env; \
    const ask = ([scheme, ...others]) => require(scheme) \
      .get({ host: '127.0.0.1', port, path: '/__control/health', rejectUnauthorized: false }, ({ statusCode }) => end(statusCode === 200, others)) \
      .on('error', () => end(false, others)); \
    const end = (isHealthy, others) => isHealthy || others.length === 0 ? process.exit(isHealthy ? 0 : 1) : ask(others); \
    ask(cert ? ['https'] : ['http', 'https']);"]
ENTRYPOINT ["usage-billing-mock"]
