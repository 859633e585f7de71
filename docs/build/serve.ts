import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { escapeHtml } from './page.ts'

/** `live` puts a script in every page that reloads it when `reload` is called. `port` 0 takes a free one. */
export type ServeOptions = { root: string; port?: number; host?: string; live?: boolean }

/** A running server: where it is, how to reload the pages that are open, how to stop it. */
export type DocsServer = { url: string; reload(): void; close(): Promise<void> }

/**
 * Serves the built docs, for development.
 *
 * @throws (rejects) with Node's own error where the port is in use
 */
export async function serveDocs({
  root,
  port = 0,
  host = '127.0.0.1',
  live = false,
}: ServeOptions): Promise<DocsServer> {
  const readers = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (live && request.url === EVENTS) return subscribe(response, readers)
    answer(request, response, root, live).catch(() =>
      send(response, 500, '.txt', 'The page could not be read.\n'),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    reload: () => readers.forEach((reader) => void reader.write('data: reload\n\n')),
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

const EVENTS = '/__reload'
const SCRIPT = '/__reload.js'
const RELOAD = `new EventSource('${EVENTS}').onmessage = () => location.reload()\n`

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  root: string,
  live: boolean,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(response, 405, '.txt', 'GET and HEAD only.\n')
  const path = pathOf(request.url ?? '/')
  if (live && path === SCRIPT) return send(response, 200, '.js', RELOAD)
  const body = path && (await readFile(join(root, path)).catch(() => undefined))
  if (!path || !body) return send(response, 404, '.html', notFound(request.url ?? ''))
  const page = live && extname(path) === '.html'
  send(response, 200, extname(path), page ? `${body}<script src="${SCRIPT}"></script>\n` : body)
}

/** The file that a URL asks for, below the root; undefined for what is no path or leads out of it. */
function pathOf(url: string): string | undefined {
  try {
    const path = normalize(decodeURIComponent(url.replace(/[?#].*$/s, '')))
    if (!path.startsWith('/') || path.includes('\0')) return undefined
    return path.endsWith('/') ? `${path}index.html` : path
  } catch {
    return undefined
  }
}

function subscribe(response: ServerResponse, readers: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders()
  readers.add(response)
  response.once('close', () => readers.delete(response))
}

function send(response: ServerResponse, status: number, extension: string, body: string | Buffer): void {
  const type = TYPES[extension] ?? 'application/octet-stream'
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

function notFound(url: string): string {
  return `<!doctype html><title>Not found</title><h1>Not found</h1><p>There is no page at <code>${escapeHtml(url)}</code>. <a href="/">To the start</a></p>\n`
}
