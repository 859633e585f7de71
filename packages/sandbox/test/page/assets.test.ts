import { expect, test } from 'vitest'
import { createPage, readAssets } from '../../src/page/page.ts'

const LIBRARIES = ['htm.js', 'htm-preact.js', 'preact.js', 'preact-hooks.js']
const page = createPage()
const get = (path: string) => page.request(`http://127.0.0.1${path}`)

test('the page may load its own files and nothing else', async () => {
  for (const path of ['/', '/assets/main.js', '/assets/style.css']) {
    const { status, headers } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
})

test('its own scripts write no HTML', () => {
  const scripts = [...readAssets()].filter(([name]) => name.endsWith('.js'))
  const ownScripts = scripts.filter(([name]) => !LIBRARIES.includes(name))
  expect(ownScripts.length).toBeGreaterThan(10)
  for (const [name, { body }] of ownScripts)
    expect(body, name).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/)
})

test.each([
  '/assets/',
  '/assets/nothing.js',
  '/assets/..%2fpage.ts',
  '/assets/../page.ts',
  '/assets/state.ts',
])('has no %s', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('each import of a script is a file of the page', () => {
  const assets = readAssets()
  const scripts = [...assets].filter(([name]) => name.endsWith('.js'))
  const imports = scripts.flatMap(([, { body }]) => {
    return [...body.matchAll(/from ?['"](\.[^'"]+)['"]/g)].map(([, file = '']) => file)
  })
  expect(imports.length).toBeGreaterThan(10)
  const missing = imports.filter((file) => !assets.has(file.replace('./', '')))
  expect(missing).toEqual([])
})
