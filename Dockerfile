# syntax=docker/dockerfile:1
# The image contains the bundled program, the console's pages and the packages that run, nothing else.
ARG NODE=node:24.11.1-bookworm

FROM ${NODE} AS build
WORKDIR /app
COPY . .
RUN npm run build

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY packages/server/package.json packages/server/
COPY packages/contract/package.json packages/contract/
RUN npm ci --omit=dev --ignore-scripts --workspace packages/server && rm -rf node_modules/@store-sales

FROM ${NODE}-slim
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/packages/console/dist packages/console/dist
COPY --from=build /app/packages/server/package.json packages/server/
COPY --from=build /app/packages/server/bin packages/server/bin
COPY --from=build /app/packages/server/browser packages/server/browser
COPY --from=build /app/packages/server/program packages/server/program
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN ln -s /app/packages/server/bin/store-sales.js /usr/local/bin/store-sales && mkdir /data && chown node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["store-sales", "serve"]
