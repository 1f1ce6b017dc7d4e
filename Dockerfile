# Builds from the package, not from a clone. The packed one is the whole context, this file included:
#   docker build --tag usage-billing-mock --file package/Dockerfile - < usage-billing-mock-0.1.0.tgz
# A published one is installed by its name:
#   docker build --tag usage-billing-mock --build-arg PACKAGE=usage-billing-mock@0.1.0 - < Dockerfile
# A release adds the digest that its base image has then.
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
    install -d -o 1000 "$(npm root --global)/usage-billing-mock/dist/compiled"
# The user node, by the number that Kubernetes needs to see that it is not root.
USER 1000
WORKDIR /home/node
# An image whose mock does not answer is not built. Node keeps what it compiles here for later starts.
RUN usage-billing-mock exec -- node -e "fetch(process.env.USAGE_BILLING_MOCK_URL + '/measurements', \
      { headers: { Authorization: 'Bearer a' } }).then(({ ok }) => process.exit(ok ? 0 : 1))"
# The mock listens once it is ready, also with --no-control or a certificate: a connection tells enough.
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "require('net').connect(process.env.USAGE_BILLING_MOCK_PORT, '127.0.0.1', () => process.exit())"]
ENTRYPOINT ["usage-billing-mock"]
