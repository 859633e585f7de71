import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { IS_CAMPAIGN } from '@partner-payments/campaign'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Consumer, type Installed, machineNode } from './consumer.ts'
import { programs, typedClient } from './programs.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const NAMES = ['brcode', 'cli', 'client', 'conformance', 'mock', 'sandbox', 'spec', 'validator', 'webhooks']
const EXPORTS = ['partner-payments-openapi-3.0.json', 'partner-payments.postman_collection.json']
const folder = mkdtempSync(join(tmpdir(), 'tarballs-'))

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/pack-all.ts'), folder], { stdio: 'pipe' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('writes a tarball of every public package, the exports of the contract, and their checksums', () => {
  const files = [...NAMES.map((name) => basename(tarball(name))), ...EXPORTS]
  expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', ...files].sort())
  const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''))
})

describe.each(NAMES)('the tarball of %s', (name) => {
  it('contains LICENSE and README', () => {
    expect(filesOf(name)).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']))
  })

  it('contains every file that it exports, and no source or test', () => {
    const { exports, bin } = manifestOf(name)
    const exported = [...targets(exports), ...targets(bin)].map((file) => file.replace('./', 'package/'))
    expect(exported.length).toBeGreaterThan(0)
    expect(filesOf(name)).toEqual(expect.arrayContaining(exported))
    expect(filesOf(name).filter((file) => /(?<!\.d)\.ts$|\/(test|src)\//.test(file))).toEqual([])
  })

  it('needs no package of this workspace', () => {
    const { dependencies, peerDependencies } = manifestOf(name)
    const needed = JSON.stringify({ dependencies, peerDependencies })
    expect(needed).not.toMatch(/@partner-payments\/|workspace:|catalog:/)
    // Examples in comments may name other packages, and a message its own.
    const lines = sourcesOf(name)
      .split('\n')
      .filter((line) => !/^\s*(\*|\/)/.test(line))
    expect(lines.filter((line) => /(from|import)[\s(]*['"`]@partner-payments\//.test(line))).toEqual([])
  })

  it('passes publint', async () => {
    const { messages, pkg } = await publint({
      pack: { tarball: Uint8Array.from(readFileSync(tarball(name))).buffer },
      strict: true,
    })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })
})

describe('installed alone, on the Node of the machine', () => {
  it('brcode reads a code', async () => {
    const consumer = await installed('brcode')
    expect(await consumer.run(programs.brcode, [], machineNode)).toBe('immediate\n')
  })

  it('webhooks signs and verifies', async () => {
    const consumer = await installed('webhooks')
    expect(await consumer.run(programs.webhooks, [], machineNode)).toBe('qrcode.paid\n')
  })

  it('client pays at a mock, which is installed alone too', async () => {
    const [server, consumer] = await Promise.all([installed('mock'), installed('client')])
    const url = await server.serve('partner-payments-mock', ['--port', '0'])
    expect(await consumer.run(programs.client, [url], machineNode)).toBe('Beltrana de Tal settled\n')
    const headers = { authorization: 'Bearer any', prefer: 'dynamic=true' }
    const invented = await fetch(`${url}/mobile-bff/v1/partner/user`, { headers })
    expect(await invented.json()).toHaveProperty('users')
  })
})

describe('installed alone, on Node 24', () => {
  it('spec exports the contract, the short paths and the open questions', async () => {
    const consumer = await installed('spec')
    expect(await consumer.run(programs.spec)).toBe('3.1.0 true true true\n')
  })

  it('validator finds what is wrong with a request', async () => {
    const consumer = await installed('validator')
    expect(await consumer.run(programs.validator)).toBe('required\n')
  })

  it('sandbox serves, and conformance checks it', async () => {
    const [server, consumer] = await Promise.all([installed('sandbox'), installed('conformance')])
    const url = await server.serve('partner-payments-sandbox', ['--port', '0', '--memory'])
    expect((await fetch(`${url}/_sandbox/ready`)).status).toBe(200)
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    const flags = ['--kind', 'sandbox', '--only', 'example-accepted', '--client-key', 'partner']
    const args = ['--target', url, ...flags, '--client-secret', 'secret']
    expect(await consumer.command('partner-payments-check', args)).toContain(url)
    expect(await consumer.run(programs.conformance)).toBe('function\n')
  })
})

describe('installed alone, on an old Node', () => {
  it.each([
    ['cli', 'partner-payments', []],
    ['mock', 'partner-payments-mock', ['mock', 'mock/main']],
    ['sandbox', 'partner-payments-sandbox', ['sandbox', 'sandbox/main']],
    ['conformance', 'partner-payments-check', ['conformance', 'conformance/main']],
  ])('%s names the version that it needs, by its command and by imports', async (name, command, modules) => {
    const consumer = await installed(name)
    const ended = consumer.runOnOldNode(`node_modules/.bin/${command}`)
    const needs = 'needs Node 24.18 or later; this is 20.20.2\n'
    expect(ended).toMatchObject({ status: 2, stderr: `${command} ${needs}` })
    for (const module of modules) {
      consumer.write('main.js', `import '@partner-payments/${module}'`)
      expect(consumer.runOnOldNode('main.js').stderr).toContain(`Error: @partner-payments/${name} ${needs}`)
    }
  })
})

describe('the command line, installed alone, on Node 24', () => {
  it('serves a sandbox, checks it, and triggers an event there', async () => {
    const consumer = await installed('cli')
    const url = await consumer.serve('partner-payments', ['sandbox', '--port', '0', '--memory'])
    const run = (...args: string[]) => consumer.command('partner-payments', args)
    expect(await run('trigger', 'qrcode.paid', '--target', url)).toContain('CONCLUIDA')
    const flags = ['--kind', 'sandbox', '--only', 'example-accepted', '--client-key', 'partner']
    expect(await run('check', '--target', url, ...flags, '--client-secret', 'secret')).toContain(url)
  })
})

describe('client in a project in TypeScript', () => {
  it('has types, with TypeScript 5.9 and 7 and MSW 2 and 3 in a campaign', async () => {
    const consumer = await installed(
      'client',
      ...['typescript', 'typescript-5', ...TYPED].map((it) => peer(it)),
    )
    consumer.write('main.ts', typedClient)
    consumer.write('tsconfig.json', JSON.stringify({ compilerOptions: STRICT, include: ['main.ts'] }))
    for (const [msw, compiler, ...flags] of IS_CAMPAIGN ? PAIRS : PAIRS.slice(0, 1)) {
      await consumer.install(peer(msw, 'msw'))
      expect(await consumer.compile(compiler, ...flags), `${compiler} with ${msw}`).toBe('')
    }
  })
})

/** Versions of MSW and TypeScript to combine. */
const PAIRS = [
  ['msw', 'typescript'],
  // The declarations themselves are checked above. Checking them again with 5.9 takes 15 seconds of CPU.
  ['msw2', 'typescript-5', '--skipLibCheck'],
  ['msw', 'typescript-5', '--skipLibCheck'],
  ['msw2', 'typescript'],
] as const

const STRICT = {
  noEmit: true,
  strict: true,
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom'],
  types: ['node'],
}

const TYPED = ['@tanstack/react-query', '@types/react', '@types/node', 'react']

/** The version that the client is tested with, by the name of the dependency. `as` is the name in the project. */
function peer(name: string, as = name): Installed {
  const home = join(ROOT, 'packages/client')
  const manifest = JSON.parse(readFileSync(join(home, 'node_modules', name, 'package.json'), 'utf8'))
  return { name: as, from: name, spec: `${as}@npm:${manifest.name}@${manifest.version}`, home }
}

async function installed(name: string, ...others: readonly Installed[]): Promise<Consumer> {
  const consumer = new Consumer()
  onTestFinished(() => consumer.remove())
  const packed = { name: `@partner-payments/${name}`, spec: tarball(name), home: homeOf(name) }
  await consumer.install(packed, ...others)
  return consumer
}

function homeOf(name: string): string {
  return join(ROOT, name === 'spec' ? name : `packages/${name}`)
}

function tarball(name: string): string {
  return join(folder, `partner-payments-${name}-${manifestIn(name).version}.tgz`)
}

function manifestIn(name: string) {
  return JSON.parse(readFileSync(join(homeOf(name), 'package.json'), 'utf8'))
}

function filesOf(name: string): string[] {
  return execFileSync('tar', ['-tzf', tarball(name)], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

/** The text of all JavaScript and declaration files. */
function sourcesOf(name: string): string {
  const sources = filesOf(name).filter((file) => /\.\w*s$/.test(file))
  return execFileSync('tar', ['-xzOf', tarball(name), '-T', '-'], {
    input: sources.join('\n'),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
}

function manifestOf(name: string) {
  return JSON.parse(
    execFileSync('tar', ['-xzOf', tarball(name), 'package/package.json'], { encoding: 'utf8' }),
  )
}

/** The files in `exports` or `bin`, for all conditions. */
function targets(node: unknown): string[] {
  if (typeof node === 'string') return [node]
  return Object.values(node ?? {}).flatMap(targets)
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
