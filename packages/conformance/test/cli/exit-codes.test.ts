import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import questions from '@partner-payments/spec/open-questions.json' with { type: 'json' }
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Service, startService, without } from '../sandbox-proxy.ts'
import { CREDENTIALS, command, here, PROGRESS } from './command.ts'

let service: Service
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'check-'))
})
afterEach(() => {
  service.change = undefined
})
afterAll(() => service.close())

const KEYS = '/mobile-bff/v1/pix/dict/check'
const quick = () => ['--target', service.url, '--kind', 'sandbox', '--operation', 'checkKey']
/** A few rules that judge responses of checkKey. */
const few = () => [...quick(), '--only', 'response-schema,response-headers,example-accepted']

test('exits with 0 if nothing was found, and prints the result on stdout alone', async () => {
  const { code, stdout, stderr } = await command(few())
  expect(code).toBe(0)
  expect(stderr).toMatch(PROGRESS)
  expect(stdout).toMatch(/^http.* passes: 0 failures/)
})

test('exits with 2 if sign-in stops working before a finding, with the reason', async () => {
  let left = 4
  service.change = (response, { path }) => {
    if (!path.endsWith('/auth/partner/token/')) return undefined
    const body = JSON.stringify({ ...JSON.parse(response.body), expiration: 0.001 })
    return left-- > 0 ? { ...response, body } : { ...response, status: 503, body: 'busy' }
  }
  const { code, stdout, stderr } = await here([...quick(), '--only', 'break-refused'])
  expect(code).toBe(2)
  expect(stdout + stderr).toContain('the sign-in as "partner" returned 503')
  expect(stdout).toContain('rules')
})

test('prints before a live run the maximum number of records it creates', async () => {
  const live = [
    '--target',
    service.url,
    '--rate',
    '1000',
    '--operation',
    'checkKey',
    '--only',
    'example-accepted',
  ]
  const { code, stderr } = await here(live)
  expect(code).toBe(0)
  const [said, ...rest] = stderr.split('\n')
  expect(said).toMatch(/^A live service: .* at most 500 records, 50 at a time, .* say so with --kind\.$/)
  expect(rest.join('\n')).toMatch(PROGRESS)
})

test('exits with 2 if only the sign-in works, as with a wrong base path', async () => {
  const body = JSON.stringify({ status: 404, title: 'Not Found', code: 'not_found' })
  service.change = (response, { path }) =>
    path.endsWith('/auth/partner/token/') ? undefined : { ...response, status: 404, body }
  const { code, stderr } = await here([...quick(), '--only', 'head-equals-get,example-accepted'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('is the base path of --target right?'),
  })
})

test('exits with 2 if nothing could be assessed', async () => {
  const { code, stderr } = await here([...quick(), '--only', 'record-changes'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('Nothing could be assessed; --verbose says why.'),
  })
})

test('exits with 1 if a fact is violated, and names it', async () => {
  service.change = without('ispb', KEYS)
  const { code, stdout } = await here(few())
  expect(code).toBe(1)
  expect(stdout).toContain('response-schema')
})

test('accepts a deviation, and counts it in a strict run', async () => {
  service.change = (response) => {
    const { 'www-authenticate': _, ...headers } = response.headers
    return { ...response, headers }
  }
  const args = [...quick(), '--only', 'www-authenticate,credentials-required']
  expect((await here(args)).code).toBe(0)
  for (const flags of [['--strict'], ['--fail-on', 'deviation'], ['--strict', '--fail-on', 'deviation']])
    expect((await here([...args, ...flags])).code).toBe(1)
  expect((await here([...args, '--fail-on', 'critical'])).code).toBe(0)
})

test('accepts a finding of the baseline until its day', async () => {
  service.change = without('ispb', KEYS)
  const file = join(folder, 'baseline.yaml')
  const written = await here([...few(), '--write-baseline', file, '--until', '2099-12-31'])
  expect(written.code).toBe(0)
  expect((await here([...few(), '--baseline', file])).code).toBe(0)
  writeFileSync(file, readFileSync(file, 'utf8').replace('2099-12-31', '2020-12-31'))
  const { code, stderr } = await here([...few(), '--baseline', file])
  expect(code).toBe(1)
  expect(stderr).toContain('until 2020-12-31: fix it')
})

test('prints two examples in its help that work, by the name of the command', async () => {
  const { stdout } = await here(['--help'])
  const examples = [...stdout.matchAll(/^ {2}partner-payments check (--target http.*)$/gm)].map(
    ([, it]) => it,
  )
  expect(examples).toHaveLength(2)
  for (const it of examples) {
    const args = it?.replace(/http\S+/, service.url).replace('check.html', join(folder, 'check.html'))
    expect((await here([...(args?.split(' ') ?? []), '--operation', 'checkKey'])).code).toBe(0)
  }
})

test('prints the command that checks for the first finding again, as it was started', async () => {
  service.change = (response, { method }) => (method === 'HEAD' ? { ...response, status: 404 } : undefined)
  const found = await here([...quick(), '--operation', 'listUsers', '--only', 'http', '--seed', '7'])
  const [, command] = /\nNext: partner-payments check (.*)\n/.exec(found.stdout) ?? []
  expect(command).toBe(
    `--only head-equals-get --operation listUsers --target ${service.url} --kind sandbox --seed 7`,
  )
  expect((await here(command?.split(' ') ?? [])).code).toBe(found.code)
})

test('fails if the coverage is too low', async () => {
  // Coverage of the one included operation and the three included rules.
  const seen = ['--min-coverage', 'operations=100%,rules=100%']
  expect(await here([...few(), ...seen])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(PROGRESS),
  })
  const { code, stderr } = await here([...few(), '--min-coverage', '90%'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Coverage of statuses and media types is \d+ %, and must be 90 %\.$/m)
})

test('writes every report', async () => {
  const formats = ['junit', 'sarif', 'jsonl', 'html', 'markdown', 'register', 'json']
  const fileOf = (format: string) => join(folder, 'reports', format)
  const report = formats.map((it) => `${it}=${fileOf(it)}`).join(',')
  expect((await here([...few(), '--report', report])).code).toBe(0)
  const begins = formats.map((it) => readFileSync(fileOf(it), 'utf8').trimStart().slice(0, 5))
  expect(begins).toEqual([
    '<?xml',
    '{\n  "',
    '{"typ',
    expect.stringMatching(/^<!doc/i),
    expect.any(String),
    '# Obs',
    '{\n  "',
  ])
  expect(JSON.parse(readFileSync(fileOf('json'), 'utf8')).verdicts).toHaveLength(
    Object.keys(questions).length,
  )
})

test('checks every output file before it sends anything', async () => {
  service.passed.length = 0
  const file = join(folder, 'a-file')
  writeFileSync(file, 'not a folder')
  for (const flags of [
    ['--report', `json=${folder}`],
    ['--report', `json=${file}/below`],
    ['--write-baseline', `${file}/below`, '--until', '2099-12-31'],
  ]) {
    const { code, stdout, stderr } = await here([...few(), ...flags])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^A file cannot be used: --[a-z-]+: .* cannot be written \(.*\)\.\n$/)
  }
  expect(service.passed).toEqual([])
})

test('prints the findings and writes the other reports if one report cannot be written', async () => {
  const [lost, kept] = [join(folder, 'lost.json'), join(folder, 'kept.xml')]
  service.change = (response, passing) => {
    mkdirSync(lost, { recursive: true })
    return without('ispb', KEYS)?.(response, passing)
  }
  const { code, stdout, stderr } = await here([...few(), '--report', `json=${lost},junit=${kept}`])
  expect(code).toBe(2)
  expect(stdout).toContain('response-schema')
  expect(stderr).toContain(`A file cannot be used: --report: ${lost} cannot be written`)
  expect(readFileSync(kept, 'utf8')).toContain('<testsuites')
})

test('writes no baseline of a run without a success', async () => {
  const body = JSON.stringify({ status: 404, title: 'Not Found', code: 'not_found' })
  service.change = (response, { path }) =>
    path.endsWith('/auth/partner/token/')
      ? undefined
      : { ...response, status: 404, body, headers: { ...response.headers, 'content-type': 'text/plain' } }
  const file = join(folder, 'nothing.yaml')
  const { code, stderr } = await here([...few(), '--write-baseline', file, '--until', '2099-12-31'])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('is the base path of --target right?\nNo baseline was written.\n'),
  })
  expect(existsSync(file)).toBe(false)
})

const IDLE: readonly [string, readonly string[]][] = [
  ['har', ['--only', 'invalid requests']],
  ['har', ['--operation', 'listUsers']],
  ['har', ['--kind', 'sandbox']],
  ['--list-rules', ['--verbose']],
]

test.each(IDLE)('%s refuses %j, which would have no effect', async (name, flags) => {
  const words = name === 'a check' ? [] : name === 'har' ? ['har', 'x'] : [name]
  const { code, stdout, stderr } = await here([...words, ...flags])
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `Wrong flags: ${flags[0]} is not a flag of ${name}; see --help.\n`,
  })
})

test('writes the path of a contract relative to the working directory, as SARIF requires', async () => {
  const home = join(import.meta.dirname, '../../../..')
  const spec = join(home, 'spec/dist/openapi.json')
  const file = join(folder, 'here.sarif')
  service.change = without('ispb', KEYS)
  await command([...few(), '--spec', spec, '--report', `sarif=${file}`], CREDENTIALS, home)
  const [run] = JSON.parse(readFileSync(file, 'utf8')).runs
  const { uri } = run.results[0].locations[0].physicalLocation.artifactLocation
  expect(uri).toBe('spec/dist/openapi.json')
})

const AT = ['--target', 'http://127.0.0.1:1']
const wrong: readonly [string, readonly string[], string][] = [
  ['no target', [], '--target is missing'],
  ['a target that is no URL', ['--target', 'nonsense'], 'the target must be a URL'],
  ['a target with credentials', ['--target', 'http://u:hidden@127.0.0.1:1'], 'without credentials'],
  ['nobody there', AT, 'Is it running, and is --target right?'],
  ['an unknown flag', ['--bogus'], "Wrong flags: Unknown option '--bogus'; see --help.\n"],
  ['an unknown command', ['frob'], 'there is no command "frob"'],
  ['an unknown operation', [...AT, '--operation', 'nope'], 'no operation "nope"'],
  ['a value of __proto__', [...AT, '--set', '__proto__/a=1'], 'no operation "__proto__"'],
  ['no rule', [...AT, '--only', ','], '--only needs at least one item'],
  ['an unknown level', [...AT, '--fail-on', 'all'], '--fail-on must be critical'],
  [
    'levels that contradict',
    [...AT, '--strict', '--fail-on', 'critical'],
    '--strict contradicts --fail-on critical',
  ],
  [
    'a wait that is none',
    [...AT, '--delivery-within', '0'],
    '--delivery-within must be a number from 1 to 3600000, got "0"',
  ],
  ['a value that is no JSON', [...AT, '--set', 'a/b:=x'], '--set must be'],
  ['a value without a place', [...AT, '--set', 'amount=1'], '--set must be'],
  ['an unknown report', [...AT, '--report', 'pdf=a'], '--report must be'],
  ['a coverage of no kind', [...AT, '--min-coverage', 'x=1'], '--min-coverage must be'],
  ['a baseline without its day', [...AT, '--write-baseline', 'a'], 'needs --until'],
  ['a baseline that is not there', [...AT, '--baseline', '/nope'], 'cannot be read'],
  ['a contract that is not there', [...AT, '--spec', '/nope'], 'cannot be read'],
  ['a contract that is none', [...AT, '--spec', 'package.json'], 'must be OpenAPI 3.1'],
  [
    'a receiver whose port nobody says',
    [...AT, '--receiver', 'https://hooks.example'],
    '--receiver-port must say',
  ],
]

test('escapes control characters in messages', async () => {
  const { code, stderr } = await here(['--target', 'x\u001b[2J\u009b\n'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('got "x\\u001b[2J\\u009b') })
})

test.each(wrong)('exits with 2 for %s, in one sentence without a stack', async (_, args, words) => {
  const { code, stdout, stderr } = await here(args)
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
  expect(stderr).not.toMatch(/\n.|\bat .*:\d+:\d+|hidden/)
})

test('exits with 2 if the secret of either partner is wrong', async () => {
  const bad = await here(few(), { ...CREDENTIALS, CLIENT_SECRET: 'wrong-secret' })
  expect(bad.code).toBe(2)
  expect(bad.stderr).toContain('the sign-in as "partner" returned 401')
  const other = await here(few(), { ...CREDENTIALS, OTHER_KEY: 'other', OTHER_SECRET: 'wrong-secret' })
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('the sign-in as "other" returned 401')
  const twice = await here([...few(), '--target', `${service.url}/mobile-bff/v1`])
  expect(twice.stderr).toContain(
    `returned 404 from ${service.url}/mobile-bff/v1/mobile-bff/v1/auth/partner/token/`,
  )
  expect(twice.stderr).toContain(
    'the paths of the contract begin with /mobile-bff/v1, so leave it out of the target',
  )
})

test('reports that nobody is there before it asks for credentials', async () => {
  const { code, stderr } = await here(AT, {})
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/cannot be reached: .*Is it running/),
  })
})

test('takes the seed credentials of a sandbox on this machine, but of no other service', async () => {
  const { code, stderr } = await here(few(), {})
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('CLIENT_KEY=partner') })
  service.passed.length = 0
  service.change = (response, { path }) =>
    path.startsWith('/_sandbox/') ? { ...response, status: 404, body: '' } : undefined
  const other = await here(few(), {})
  expect(other.code).toBe(2)
  expect(other.stderr).toContain('set CLIENT_KEY and CLIENT_SECRET')
  expect(service.passed.map(({ path }) => path)).toEqual(['/_sandbox/clock'])
})

test('reports a wrong target before missing credentials', async () => {
  const { code, stderr } = await here(['--target', 'nope'], {})
  expect(code).toBe(2)
  expect(stderr).toContain('the target must be a URL like http://127.0.0.1:4020, got "nope"')
})

test('warns of a secret on the command line, and shows it nowhere', async () => {
  service.change = without('ispb', KEYS)
  const args = [...few(), '--json', '--client-key', 'partner', '--client-secret', 'secret']
  const { stdout, stderr } = await here(args, {})
  expect(stderr).toContain('Warning: --client-secret shows in the list of processes')
  expect(stdout).not.toContain(Buffer.from('partner:secret').toString('base64'))
  expect(stdout).not.toMatch(/Bearer (?!'\\"\$)/)
})

test('assigns each rule to one shard', async () => {
  const shards = []
  for (const shard of ['1/2', '2/2'])
    shards.push(await here([...quick(), '--kind', 'mock', '--json', '--shard', shard]))
  const asked = shards.map(({ stdout }) =>
    JSON.parse(stdout)
      .rules.filter(({ reason }: { reason?: string }) => reason !== 'not selected')
      .map(({ rule }: { rule: string }) => rule),
  )
  expect(new Set(asked.flat()).size).toBe(asked.flat().length)
  const { stdout } = await here(['--list-rules', '--json'])
  expect(asked.flat().toSorted()).toEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
      .toSorted(),
  )
})
