# The sandbox, or with --target mock the mock, from the tarball of the command line in the folder of the build:
#   docker build --tag partner-payments dist
FROM node:24-slim AS base
COPY partner-payments-cli-*.tgz /tmp/cli.tgz
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/cli.tgz \
 && npm cache clean --force \
 && mkdir /data \
 && chown node:node /data
USER node
WORKDIR /data
ENTRYPOINT ["partner-payments"]

FROM base AS mock
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:4010')"]
CMD ["mock", "--host", "0.0.0.0"]

FROM base AS sandbox
EXPOSE 4020
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s CMD ["node", "-e", "fetch('http://127.0.0.1:4020/_sandbox/ready').then(({ ok }) => process.exit(ok ? 0 : 1))"]
CMD ["sandbox", "--host", "0.0.0.0", "--file", "/data/state.db"]
