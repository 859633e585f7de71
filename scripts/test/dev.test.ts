import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { IS_CAMPAIGN } from '@partner-payments/campaign'
import { afterEach, expect, it, vi } from 'vitest'
import { findPorts } from '../prepare.ts'
import { startDev } from '../start-dev.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Timeout for builds next to other tests on a busy machine. */
const SLOW = { timeout: 90_000 }

const started: Array<() => unknown> = []
afterEach(async () => {
  for (const stop of started.splice(0).reverse()) await stop()
})

it('names every port that is in use before it builds, with a command that takes free ones, and exits with 1', async () => {
  const [docs, sandbox] = await Promise.all([portInUse(), portInUse()])
  const dev = run('dev', '--docs-port', `${docs}`, '--mock-port', '0', '--sandbox-port', `${sandbox}`)
  expect(await dev.exited).toBe(1)
  expect(dev.text()).toBe(`dev: ports ${docs} (docs), ${sandbox} (sandbox) are in use. \
Stop what listens there, or take free ports:
  npx -y pnpm@12 dev --docs-port 0 --mock-port 0 --sandbox-port 0
`)
})

it('names the port of the example that is in use', async () => {
  const port = await portInUse()
  const example = run('example', '--port', `${port}`)
  expect(await example.exited).toBe(1)
  expect(example.text()).toMatch(
    new RegExp(`^example: port ${port} \\(page\\) is in use\\. .*\n {2}npx -y pnpm@12 example --port 0\n$`),
  )
})

it.each(['abc', '', '70000'])('refuses the port %j, and exits with 2', async (port) => {
  const dev = run('dev', '--mock-port', port)
  expect(await dev.exited).toBe(2)
  expect(dev.text()).toContain(`from 0 to 65535, got "${port}"`)
})

it('prints its flags for --help, and exits with 0', async () => {
  const dev = run('dev', '--help')
  expect(await dev.exited).toBe(0)
  expect(dev.text()).toMatch(/--docs-port N .*\n.*--mock-port N /)
})

it('reports an unknown flag with the known ones, and exits with 2', async () => {
  const dev = run('dev', '--port', '4001')
  expect(await dev.exited).toBe(2)
  expect(dev.text()).toMatch(/Unknown option '--port'.*--docs-port N /s)
})

it('refuses one port for two servers, and exits with 2', async () => {
  const dev = run('dev', '--docs-port', '4010')
  expect(await dev.exited).toBe(2)
  expect(dev.text()).toContain('port 4010 is chosen twice')
})

/** Takes half a minute, so only the campaign runs it. */
const itInCampaign = IS_CAMPAIGN ? it : () => {}

itInCampaign(
  'rebuilds the mock and the docs after an edit, and keeps both where the edit is wrong',
  async () => {
    const { spec, docs } = copyOfFolders()
    const [docsPort = 0] = await findPorts([0])
    const messages: string[] = []
    const dev = await startDev({
      spec,
      docs,
      mockPort: 0,
      sandboxPort: 0,
      docsPort,
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

async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  started.push(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Runs a command of `scripts` that ends before it builds. */
function run(command: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, `scripts/${command}.ts`), ...args])
  started.push(() => child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  return { exited: once(child, 'close').then(([code]) => code), text: () => text }
}
