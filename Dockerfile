FROM node:24.18.0-bookworm-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

COPY index-mappings index-mappings
COPY models models
COPY sample sample
COPY scripts scripts
COPY src src

RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/require-node.mjs", "src/main.ts"]
