import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { IS_CAMPAIGN } from '@partner-payments/campaign'
import { afterEach, expect, it, vi } from 'vitest'
import { startDev } from '../start-dev.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Timeout for builds next to other tests on a busy machine. */
const SLOW = { timeout: 90_000 }

const started: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop()
})

it('prints what runs where, with a request to try, and stops on SIGINT', async () => {
  const dev = run('--mock-port', '0', '--sandbox-port', '0', '--docs-port', '0')
  const text = await dev.printed(/Ctrl-C/)
  const [docs = '', mock = '', sandbox = ''] = text.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? []
  expect(await (await fetch(docs)).text()).toContain('<html')
  const paths = ['/guides/errors.html', '/reference.html', '/nowhere', '/nowhere.html', '/robots.txt']
  const responses = await Promise.all(paths.map((path) => fetch(docs + path)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404])
  for (const url of [mock, sandbox]) {
    const authorization = `Basic ${btoa('partner:secret')}`
    const token = `${url}/mobile-bff/v1/auth/partner/token/`
    expect((await fetch(token, { method: 'POST', headers: { authorization } })).status).toBe(200)
  }

  dev.child.kill('SIGINT')
  expect(await dev.exited).toBe(0)
  await expect(fetch(mock)).rejects.toThrow()
  await expect(fetch(sandbox)).rejects.toThrow()
})

it('names a port that is in use, and exits with 1', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  started.push(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const dev = run('--mock-port', String(port), '--sandbox-port', '0', '--docs-port', '0')
  expect(await dev.printed(/in use/)).toContain(`port ${port} is in use`)
  expect(await dev.exited).toBe(1)
})

it.each(['abc', '', '70000'])('refuses the port %j, and exits with 2', async (port) => {
  const dev = run('--mock-port', port)
  expect(await dev.printed(/must be/)).toContain(`from 0 to 65535, got "${port}"`)
  expect(await dev.exited).toBe(2)
})

it('prints its flags for --help, and exits with 0', async () => {
  const dev = run('--help')
  expect(await dev.printed(/--docs-port N .*\n/)).toContain('--mock-port N')
  expect(await dev.exited).toBe(0)
})

it('reports an unknown flag with the known ones, and exits with 2', async () => {
  const dev = run('--port', '4001')
  expect(await dev.printed(/--docs-port N .*\n/)).toContain("Unknown option '--port'")
  expect(await dev.exited).toBe(2)
})

/** Takes half a minute, so only the campaign runs it. */
const itInCampaign = IS_CAMPAIGN ? it : () => {}

itInCampaign(
  'rebuilds the mock and the docs after an edit, and keeps both where the edit is wrong',
  async () => {
    const { spec, docs } = copyOfFolders()
    const messages: string[] = []
    const dev = await startDev({
      spec,
      docs,
      mockPort: 0,
      sandboxPort: 0,
      docsPort: 0,
      say: (text) => messages.push(text),
    })
    started.push(() => dev.close())

    const examples = join(spec, 'examples/keys.yaml')
    const right = readFileSync(examples, 'utf8')
    // Git and many editors replace a file by renaming a new one.
    for (const name of ['Fulana de Tal', 'Sicrana de Tal']) {
      writeFileSync(`${examples}.new`, right.replaceAll('Beltrana de Tal', name))
      renameSync(`${examples}.new`, examples)
      await vi.waitFor(async () => expect(await ownerName(dev.mock)).toBe(name), SLOW)
    }
    await expect.poll(() => messages.at(-1)).toContain('Built again in')
    await sleep(500)
    expect(
      messages.filter((text) => text.includes('Built again')),
      'a build starts no other',
    ).toHaveLength(2)
    expect(await ownerName(dev.mock, '/pix/key')).toBe('Sicrana de Tal')
    expect(await (await fetch(`${dev.docs}/reference.json`)).text()).toContain('Sicrana de Tal')

    writeFileSync(examples, right.replace("ispb: '99999029'", 'ispb: 99999029'))
    await expect.poll(() => messages.at(-1)).toContain('Not built')
    expect(await ownerName(dev.mock)).toBe('Sicrana de Tal')
  },
)

async function ownerName(mock: string, path = '/mobile-bff/v1/pix/dict/check/'): Promise<string> {
  const response = await fetch(mock + path, {
    method: 'POST',
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    body: JSON.stringify({ dict_key: 'beltrana@example.com' }),
  })
  return ((await response.json()) as { owner_name: string }).owner_name
}

/** Editable copies of spec/ and docs/. */
function copyOfFolders() {
  const folder = mkdtempSync(join(tmpdir(), 'dev-'))
  started.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const room of ['spec', 'docs']) {
    const filter = (source: string) => basename(source) !== 'node_modules'
    cpSync(join(ROOT, room), join(folder, room), { recursive: true, filter })
    symlinkSync(join(ROOT, room, 'node_modules'), join(folder, room, 'node_modules'))
  }
  return { spec: join(folder, 'spec'), docs: join(folder, 'docs') }
}

function run(...args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'scripts/dev.ts'), ...args])
  started.push(() => child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk
    })
  }
  return {
    child,
    exited: once(child, 'exit').then(([code]) => code),
    async printed(pattern: RegExp): Promise<string> {
      await expect.poll(() => text).toMatch(pattern)
      return text
    },
  }
}
