import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { blocksOf } from '../clone.ts'
import { Consumer } from '../consumer.ts'
import { programs, typedClient } from '../programs.ts'
import { manifestOf, ROOT, tarballIn, testContents } from '../tarballs.ts'
import { machineNode } from '../terminal.ts'
import { Runner } from './runner.ts'
import { complaintsOfGitHub } from './sarif.ts'

const NAMES = [
  'brcode',
  'cli',
  'client',
  'conformance',
  'mock',
  'sandbox',
  'spec',
  'validator',
  'webhooks',
]
const EXPORTS = [
  'partner-payments-openapi-3.0.json',
  'partner-payments-openapi-dereferenced.json',
  'partner-payments.postman_collection.json',
]
const folder = mkdtempSync(join(tmpdir(), 'tarballs-'))

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/pack-all.ts'), folder], { stdio: 'pipe' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('writes a tarball and an SBOM of every public package, the contract and its exports, and their checksums', () => {
  const packages = NAMES.map((name) => basename(tarballIn(folder, name).file))
  const sboms = packages.map((file) => file.replace('.tgz', '.cdx.json'))
  const ofPackages = [...packages, ...sboms].sort()
  const files = [...ofPackages, 'openapi.yaml', 'Dockerfile', ...EXPORTS]
  expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', ...files].sort())
  const sums = files.map((file) => `${sha256(join(folder, file))}  ${file}\n`)
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(sums.join(''))
})

it('names in each SBOM the dependencies of the package, and the hash of each component', () => {
  for (const name of NAMES) {
    const { file } = tarballIn(folder, name)
    const { dependencies = {} } = manifestOf(file)
    const { metadata, components, dependencies: graph } = sbomBeside(file)
    const { 'bom-ref': own, purl } = metadata.component
    expect(purl).toContain(`partner-payments/${name}@`)

    const entry = graph.find(({ ref }) => ref === own)
    const named = entry?.dependsOn.map((ref) => ref.replace(/@[^@]+$/, '')) ?? []
    expect(named, name).toEqual(expect.arrayContaining(Object.keys(dependencies)))
    for (const { hashes } of [metadata.component, ...components])
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[\da-f]{128}$/) }])
  }
})

it('names in the SBOM of the command line what npm installs with it, by version', async () => {
  const { file } = tarballIn(folder, 'cli')
  const consumer = await installed('cli')
  const lockfile = join(consumer.folder, 'node_modules/.package-lock.json')
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'))
  const versions = Object.entries<{ version: string }>(packages).map(
    ([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`,
  )
  const { metadata, components } = sbomBeside(file)
  const refs = [metadata.component, ...components].map((component) => component['bom-ref'])
  expect(refs.sort()).toEqual([...new Set(versions)].sort())

  // npm knows no override of this workspace.
  const workspace = parse(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'))
  const isOverridden = (ref: string) => ref.replace(/@[^@]+$/, '') in workspace.overrides
  expect(refs.filter(isOverridden)).toEqual([
    `json-schema-faker@${workspace.catalog['json-schema-faker']}`,
  ])
})

interface Component {
  readonly 'bom-ref': string
  readonly purl: string
  readonly hashes: readonly object[]
}

interface Sbom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

function sbomBeside(tarball: string): Sbom {
  return JSON.parse(readFileSync(tarball.replace('.tgz', '.cdx.json'), 'utf8'))
}

describe.each(NAMES)('the tarball of %s', (name) => {
  testContents(tarballIn(folder, name))
})

const MACHINE = { node: machineNode }

describe('installed alone, on the Node of the machine', () => {
  it.each([
    { name: 'brcode', printed: 'static 10.50\ncrc\n' },
    { name: 'webhooks', printed: 'qrcode.paid\n' },
    {
      name: 'validator',
      printed:
        /^\/amount expected string .* bounds\n\/dict_key expected a value, got nothing fact\n$/,
    },
  ])('$name runs the first program of its README', async ({ name, printed }) => {
    const consumer = await installed(name)
    const [program = ''] = blocksOf(readFileSync(join(ROOT, `packages/${name}/README.md`), 'utf8'))
    const output = await consumer.runProgram(stripTypeScriptTypes(program), '', MACHINE)
    expect(output).toEqual(expect.stringMatching(printed))
  })

  it('client pays at a mock, which is installed alone too', async () => {
    const [server, consumer] = await Promise.all([installed('mock'), installed('client')])
    const url = await server.serve('partner-payments-mock --port 0')
    expect(await consumer.runProgram(programs.client, url, MACHINE)).toBe(
      'Beltrana de Tal settled\n',
    )
    const headers = { authorization: 'Bearer any', prefer: 'dynamic=true' }
    const invented = await fetch(`${url}/mobile-bff/v1/partner/user`, { headers })
    expect(await invented.json()).toHaveProperty('users')
  })
})

describe('installed alone, on Node 24', () => {
  it('spec exports the contract, the short paths and the open questions', async () => {
    const consumer = await installed('spec')
    expect(await consumer.runProgram(programs.spec)).toBe('3.1.0 true true true\n')
  })

  it('sandbox serves, and conformance checks it', async () => {
    const [server, consumer] = await Promise.all([installed('sandbox'), installed('conformance')])
    const url = await server.serve('partner-payments-sandbox --port 0 --memory')
    expect((await fetch(`${url}/_sandbox/ready`)).status).toBe(200)
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
    const flags = `--target ${url} --kind sandbox --only examples --client-key partner --client-secret secret`
    expect(await consumer.command(`partner-payments-check ${flags}`)).toContain(url)
    expect(await consumer.runProgram(programs.conformance)).toBe('function\n')
  })
})

describe('the SARIF of a check', () => {
  it('is what GitHub takes, although the command is installed outside of a clone', async () => {
    const consumer = await installed('cli')
    const url = await consumer.serve('partner-payments mock --port 0')
    const flags = '--kind mock --only http-head --client-key partner --client-secret secret'
    await consumer.command(
      `partner-payments check --target ${url} ${flags} --report sarif=check.sarif`,
    )
    const log = JSON.parse(readFileSync(join(consumer.folder, 'check.sarif'), 'utf8'))
    expect(log.runs[0].results.length).toBeGreaterThan(0)
    expect(complaintsOfGitHub(log)).toEqual([])

    // The check itself complains of a result without a place.
    delete log.runs[0].results[0].locations
    expect(complaintsOfGitHub(log)).toContain('expected a physical location')
  })
})

describe('installed alone, on an old Node', () => {
  it.each([
    { name: 'cli', command: 'partner-payments', modules: [] },
    { name: 'mock', command: 'partner-payments-mock', modules: ['mock', 'mock/main'] },
    {
      name: 'sandbox',
      command: 'partner-payments-sandbox',
      modules: ['sandbox', 'sandbox/main'],
    },
    {
      name: 'conformance',
      command: 'partner-payments-check',
      modules: ['conformance', 'conformance/main'],
    },
  ])(
    '$name names the version that it needs, by its command and by imports',
    async ({ name, command, modules }) => {
      const consumer = await installed(name)
      const ended = await consumer.runOnOldNode(`node_modules/.bin/${command}`)
      const needs = 'needs Node 24.18 or later; this is 20.20.2\n'
      expect(ended).toMatchObject({ code: 2, stderr: `${command} ${needs}` })
      for (const module of modules) {
        consumer.write('main.js', `import '@partner-payments/${module}'`)
        const { stderr } = await consumer.runOnOldNode('main.js')
        expect(stderr).toContain(`Error: @partner-payments/${name} ${needs}`)
      }
    },
  )
})

describe('the action, without a clone', () => {
  const cli = tarballIn(folder, 'cli')
  const release = createServer((request, response) => {
    const [, version] = /-([\d.]+)\.tgz$/.exec(cli.file) ?? []
    const path = `/owner/repository/releases/download/v${version}/${basename(cli.file)}`
    if (request.url === path) response.end(readFileSync(cli.file))
    else response.writeHead(404).end()
  })
  let runner: Runner
  let url: string

  beforeAll(async () => {
    await once(release.listen(0, '127.0.0.1'), 'listening')
    runner = new Runner(`http://127.0.0.1:${(release.address() as AddressInfo).port}`)
  })
  afterAll(() => {
    runner.remove()
    release.close()
  })

  it('installs the tarball of the release, and starts a sandbox with its options', async () => {
    const options = '--settle-after 0\n--no-rate-limits\n'
    const { text, outputs } = await runner.use({ command: 'sandbox', port: '0', options })
    expect(text).toContain('The sandbox runs on')
    url = outputs.url ?? ''
    expect((await fetch(`${url}/_sandbox/ready`)).status).toBe(200)
    // The other steps of the job keep their Node.
    expect(runner.path[0]).toBe(dirname(machineNode))
  })

  it('checks a service into the job summary and SARIF, with the credentials of its inputs', async () => {
    const inputs = {
      command: 'check',
      target: url,
      kind: 'sandbox',
      only: 'examples',
      tarball: cli.file,
    }
    const checked = await runner.use({
      ...inputs,
      'client-key': 'partner',
      'client-secret': 'secret',
    })
    expect(checked).toMatchObject({ code: 0, summary: expect.stringContaining('## ✅') })
    const sarif = JSON.parse(readFileSync(checked.outputs.sarif ?? '', 'utf8'))
    expect(sarif).toMatchObject({ version: '2.1.0' })
    const wrong = await runner.use({ ...inputs, 'client-key': 'partner', 'client-secret': 'nope' })
    expect(wrong).toMatchObject({ code: 2, text: expect.stringContaining('401') })
    const unknown = await runner.use({ ...inputs, options: '--bogus' })
    expect(unknown).toMatchObject({ code: 2, outputs: { sarif: '' } })
    expect(unknown.summary).toBe('The check could not run; see the log.\n')
    expect(unknown.text).toContain('::error::The check could not run; see the log\n')
  })

  it.each([
    {
      inputs: { command: 'serve' },
      message: 'command must be sandbox, mock or check, got "serve"',
    },
    {
      inputs: { command: 'mock', options: '--bogus' },
      message: 'mock did not start: [^%]*--bogus[^%]*$',
    },
  ])('fails with an annotation for $inputs', async ({ inputs, message }) => {
    const { code, text } = await runner.use(inputs)
    expect(code).toBe(1)
    expect(text).toMatch(new RegExp(`^::error::${message}`, 'm'))
  })
})

describe('client in a project in TypeScript', () => {
  it('has types, with TypeScript 5.9 and 7 and MSW 2 and 3', async () => {
    const peers = TYPED.map((name) => peer(name))
    const consumer = await installed('client', ...peers)
    consumer.write('main.ts', typedClient)
    const project = { compilerOptions: STRICT, include: ['main.ts'] }
    consumer.write('tsconfig.json', JSON.stringify(project))
    for (const { msw, compiler, flags } of PAIRS) {
      await consumer.install(peer(msw, 'msw'))
      expect(await consumer.compile(compiler, ...flags), `${compiler} with ${msw}`).toBe('')
    }
  })

  it('has declarations that TypeScript 5.4 reads', async () => {
    const consumer = await installed('client', peer('typescript-5-4'))
    consumer.write('main.ts', `import { createPayments } from '@partner-payments/client'`)
    const compilerOptions = { ...STRICT, ...OLDEST }
    consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['main.ts'] }))
    expect(await consumer.compile('typescript-5-4')).toBe('')
  })
})

/** Versions of MSW and TypeScript to combine. */
const PAIRS = [
  { msw: 'msw', compiler: 'typescript', flags: [] },
  // The declarations themselves are checked above. Checking them again with 5.9 takes 15 seconds of
  // CPU.
  { msw: 'msw2', compiler: 'typescript-5', flags: ['--skipLibCheck'] },
  { msw: 'msw', compiler: 'typescript-5', flags: ['--skipLibCheck'] },
  { msw: 'msw2', compiler: 'typescript', flags: [] },
]

const STRICT = {
  noEmit: true,
  strict: true,
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom'],
  types: ['node'],
}

/** What TypeScript 5.4 has instead. */
const OLDEST = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom'],
  types: [],
}

const TYPED = [
  'typescript',
  'typescript-5',
  '@tanstack/react-query',
  '@types/react',
  '@types/node',
  'react',
]

/**
 * The version that the client is tested with, by the name of the dependency. `as` is the name in
 * the project.
 */
function peer(name: string, as = name): string {
  const file = join(ROOT, 'packages/client/node_modules', name, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  return `${as}@npm:${manifest.name}@${manifest.version}`
}

async function installed(name: string, ...others: readonly string[]): Promise<Consumer> {
  const consumer = new Consumer()
  onTestFinished(() => consumer.remove())
  await consumer.install(tarballIn(folder, name).file, ...others)
  return consumer
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
