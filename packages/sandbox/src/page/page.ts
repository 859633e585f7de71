import { Hono } from 'hono'

/** The page for people, at `/`. */
export function createPage(): Hono {
  const app = new Hono()
  app.get('/', (c) => c.html('<!doctype html><title>Sandbox</title>'))
  return app
}
