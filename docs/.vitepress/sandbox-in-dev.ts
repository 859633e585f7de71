import type { Plugin } from 'vitepress'

/**
 * The paths that a development server passes on to the sandbox, as Vite matches them. Without dots and encodings, in which a
 * server behind could read another path, such as `/_sandbox/state`, which only this machine may call.
 */
export const SANDBOX_PATHS = '^/mobile-bff/[\\w/-]+(\\?.*)?$'

/** Leads `sandbox.html` to the page of the sandbox behind a development server, and names its address in `sandbox.json`. */
export function sandboxInDev(): Plugin {
  return {
    name: 'sandbox-in-dev',
    // Before VitePress, which returns a page of its own.
    enforce: 'pre',
    configureServer({ middlewares, config }) {
      const { target } = Object(config.server.proxy?.[SANDBOX_PATHS])
      middlewares.use(({ url }, response, next) => {
        if (url === '/sandbox.html' && target) return response.writeHead(302, { location: target }).end()
        if (url === '/sandbox.json' && target) return response.end(JSON.stringify({ url: target }))
        next()
      })
    },
  }
}
