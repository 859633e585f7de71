import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DocsServer, serveDocs } from '../build/serve.ts'

let folder: string
let server: DocsServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'))
  await writeFile(join(folder, 'index.html'), '<p>first page</p>')
  await writeFile(join(folder, 'openapi.json'), '{}')
  await writeFile(`${folder}.secret`, 'outside')
  server = await serveDocs({ root: folder, live: true })
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
  await rm(`${folder}.secret`)
})

test('serves the first page at the root, never from a cache, with the script that reloads it', async () => {
  const response = await fetch(server.url)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toBe('<p>first page</p><script src="/__reload.js"></script>\n')
})

test('serves other files as they are', async () => {
  const response = await fetch(`${server.url}/openapi.json`)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe('{}')
})

test('adds no script where nobody edits', async () => {
  const plain = await serveDocs({ root: folder })
  expect(await (await fetch(plain.url)).text()).toBe('<p>first page</p>')
  expect((await fetch(`${plain.url}/__reload.js`)).status).toBe(404)
  await plain.close()
})

test.each(['/nowhere.html', '/%00', '/%', '/nowhere/'])(
  'answers %s with a page that says 404',
  async (path) => {
    const { status, body } = await raw('GET', path)
    expect(status).toBe(404)
    expect(body).toContain('Not found')
  },
)

test('leads out of the folder by no path', async () => {
  const name = folder.split('/').at(-1)
  for (const path of [
    `/../${name}.secret`,
    `/%2e%2e/${name}.secret`,
    `/..%2f${name}.secret`,
    `/x/../../${name}.secret`,
    `//../${name}.secret`,
  ]) {
    const { status, body } = await raw('GET', path)
    expect(status, path).toBe(404)
    expect(body).not.toContain('outside')
  }
})

test('shows what was asked for as text, not as markup', async () => {
  expect((await raw('GET', '/<script>alert(1)</script>')).body).not.toContain('<script>alert')
})

test('takes GET and HEAD only', async () => {
  expect((await raw('POST', '/')).status).toBe(405)
  expect(await raw('HEAD', '/')).toEqual({ status: 200, body: '' })
})

test('tells the open pages to reload', async () => {
  const response = await fetch(`${server.url}/__reload`)
  const reader = response.body?.getReader()
  server.reload()
  const { value } = (await reader?.read()) ?? {}
  expect(new TextDecoder().decode(value)).toBe('data: reload\n\n')
  await reader?.cancel()
})

test('says that a port is in use', async () => {
  const port = Number(new URL(server.url).port)
  await expect(serveDocs({ root: folder, port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

/** fetch tidies paths before it sends them; an attacker does not. */
function raw(method: string, path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const outgoing = request({ hostname, port, method, path }, async (response) =>
      resolve({ status: response.statusCode, body: await text(response) }),
    )
    outgoing.on('error', reject).end()
  })
}
