import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/programs'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { withValue } from '../src/contract/json.ts'
import { main } from '../src/main.ts'
import { changed, KEYS, type Service, signedIn, startService, WEBHOOKS } from './service.ts'

let service: Service
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'check-'))
})
afterEach(() => {
  service.edit = () => undefined
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

const CREDENTIALS = { CLIENT_KEY: 'partner', CLIENT_SECRET: 'secret' }
const file = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(file(name), 'utf8')
/** A check of one operation by one plan, which is quick. */
function few(more = ''): string {
  const args = `--target ${service.url} --kind sandbox --only boundaries --operation checkKey`
  return `${args} ${more}`.trim()
}

/** Runs the command in this process. */
async function run(args: string, env: Record<string, string> = CREDENTIALS) {
  const output = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text
      return true
    }),
  )
  const environment = process.env
  process.env = env
  try {
    return { code: await main(args.split(' ')), ...output }
  } finally {
    process.env = environment
    for (const spy of spies) spy.mockRestore()
  }
}

/** A look-up shows another kind of owner than is assumed, which is a deviation. */
function deviate(): void {
  service.edit = (response, { url }) =>
    url.includes(KEYS) ? changed(response, { owner_type: 'OTHER' }) : undefined
}

test('it exits with 0 if nothing was found, and prints the result alone on stdout', async () => {
  const { code, stdout, stderr } = await run(few())
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^http.* passes: 0 failures/),
  })
  expect(stderr).toMatch(/^(plan \d+ of \d+ \([\w-]+\), \d+ requests?, 0 findings\n)+$/)
})

test('it uses the credentials of the seed on a sandbox of this machine', async () => {
  const { code, stderr } = await run(few(), {})
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('CLIENT_KEY=partner'),
  })
})

test('it exits by --fail-on, and prints a command that finds the same again', async () => {
  deviate()
  const strict = few('--fail-on deviation')
  expect((await run(few())).code).toBe(0)
  const { code, stdout } = await run(strict)
  expect(code).toBe(1)
  const [, again = ''] = /\n {2}partner-payments check (.*)\n/.exec(stdout) ?? []
  expect(again).toBe(
    `--target ${service.url} --kind sandbox --only responses-shape --operation checkKey`,
  )
  expect((await run(again)).stdout).toContain('/owner_type: ')
})

test('it writes every report, also after a finding', async () => {
  deviate()
  const withFindings = ['junit', 'sarif', 'html', 'markdown']
  const formats = [...withFindings, 'evidence', 'json']
  const reports = formats.map((format) => `${format}=${file(`sub/${format}`)}`)
  const { code } = await run(few(`--report ${reports.join(',')}`))
  expect(code).toBe(0)
  for (const format of withFindings) expect(read(`sub/${format}`)).toContain('/owner_type: ')
})

test('it writes what was seen of each open question, and says that a run was restricted', async () => {
  deviate()
  await run(few(`--report evidence=${file('evidence.json')}`))
  const { questions, ...about } = JSON.parse(read('evidence.json'))
  expect(about).toMatchObject({
    format: 1,
    kind: 'run',
    service: `${service.url}/`,
    incomplete: 'it was restricted with --only or --operation',
    requests: expect.any(Number),
    own: 'sandbox',
  })
  expect(questions['owner-kinds']).toMatchObject({
    verdict: 'contradicted',
    findings: [
      {
        rule: 'responses-shape',
        keyword: '/components/schemas/KeyCheck/properties/owner_type/enum',
        message: expect.stringContaining('/owner_type: '),
      },
    ],
    sightings: expect.arrayContaining([
      {
        at: '/components/schemas/KeyCheck/properties/owner_type',
        of: 'value',
        seen: { OTHER: expect.any(Number) },
      },
      {
        at: 'behaviour#/invariants/owner-kind/formOf/forms/NATURAL_PERSON',
        of: 'name',
        seen: { OTHER: expect.any(Number) },
      },
    ]),
  })
  // A look-up shows names and documents of people.
  expect(read('evidence.json')).not.toContain('Beltrana')
  expect(questions['account-forms'].sightings).toContainEqual({
    at: '/components/schemas/Ispb',
    of: 'form',
    seen: { '9{8}': expect.any(Number) },
  })
})

test.each([
  ['partner-payments-sandbox/0.1.0', 'sandbox'],
  ['nginx', undefined],
])('it says of a recording whose server is %s that it is of our own %s', async (server, own) => {
  const entry = {
    startedDateTime: '2026-11-29T03:00:00Z',
    request: { method: 'GET', url: `${service.url}/mobile-bff/v1/partner/user`, headers: [] },
    response: {
      status: 401,
      headers: [
        { name: 'content-type', value: 'application/problem+json' },
        { name: 'server', value: server },
      ],
      content: { text: '{}' },
    },
  }
  writeFileSync(file('own.har'), JSON.stringify({ log: { version: '1.2', entries: [entry] } }))
  await run(
    `--har ${file('own.har')} --target ${service.url} --report evidence=${file('own.json')}`,
  )
  const evidence = JSON.parse(read('own.json'))
  expect({ kind: evidence.kind, own: evidence.own }).toEqual({ kind: 'har', own })
})

test('it accepts what a baseline has until its day', async () => {
  deviate()
  const strict = few('--fail-on deviation')
  const written = await run(`${strict} --write-baseline ${file('known.yaml')} --until 2099-01-31`)
  expect(written.code).toBe(0)
  expect((await run(`${strict} --baseline ${file('known.yaml')}`)).code).toBe(0)
  writeFileSync(file('old.yaml'), read('known.yaml').replaceAll('2099', '2001'))
  const late = await run(`${strict} --baseline ${file('old.yaml')}`)
  expect(late).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('until 2001-01-31: fix it'),
  })
})

test('it exits with 1 if too little was covered', async () => {
  const { code, stderr } = await run(few('--min-coverage rows=100%'))
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('must be 100 %'),
  })
})

test('it exits with 2 if no operation succeeded, as with a wrong base path', async () => {
  const problem = { status: 404, title: 'Not Found', code: 'not_found' }
  service.edit = (_, { url }) => {
    const isKept = url.includes('/token/') || url.includes('/about?')
    return isKept ? undefined : Response.json(problem, { status: 404 })
  }
  const { code, stderr } = await run(few())
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is the base path'),
  })
})

const WRONG_ARGUMENTS = [
  { args: '--target foo', message: '--target must be a URL such as http://127.0.0.1:4020' },
  {
    args: '--target http://u:secret@x',
    message: '--target must be a URL such as http://127.0.0.1:4020',
  },
  { args: '--kind sandbox', message: '--target is missing' },
  { args: '--target http://x.example', message: 'set CLIENT_KEY and CLIENT_SECRET, or TOKEN' },
  {
    args: '--target http://127.0.0.1:9',
    message: 'the service cannot be reached: ECONNREFUSED',
  },
  { args: '--targt x', message: "unknown option '--targt'\n(Did you mean --target?)" },
  {
    args: '--target http://x.example --kind prod',
    message: 'Allowed choices are mock, sandbox, live',
  },
  {
    args: '--target http://x.example --seed x',
    message: 'It must be an integer from 0 to 4294967295',
  },
  {
    args: '--target http://x.example --allow-payments 0.00',
    message: 'a string with two decimals above 0.00',
  },
  { args: '--target http://x.example --set x', message: 'It must be OPERATION/POINTER=TEXT' },
  {
    args: '--target http://x.example --signature x',
    message: "such as 'x-signature: sha256=hex', with hex, base64 or base64url",
  },
  {
    args: '--target http://x.example --only nothing',
    message: '"nothing" is neither a rule, a subject nor a plan',
  },
  {
    args: '--target http://x.example --min-coverage links=1%',
    message: 'It must be like 80%',
  },
  {
    args: '--target http://x.example --report pdf=x',
    message: '--report must be FORMAT=FILE with one of junit',
  },
  {
    args: '--target http://x.example --report html=/proc/none/x.html',
    message: 'x.html cannot be written (ENOENT',
  },
  {
    args: '--target http://x.example --until 2099-01-31',
    message: '--until does nothing without --write-baseline',
  },
  {
    args: '--target http://x.example --receiver https://hooks.example',
    message: 'names no port',
  },
  {
    args: '--target http://x.example --spec /none.yaml',
    message: '/none.yaml cannot be read (ENOENT)',
  },
  { args: '--har .', message: '. cannot be read (it is a folder, and no file); name another file' },
  {
    args: '--target http://127.0.0.1:1 --allow-remote-sandbox',
    message: '--allow-remote-sandbox does nothing without --kind sandbox or mock',
  },
  {
    args: '--target http://127.0.0.1:1 --kind live --disposable',
    message: '--disposable does nothing without --kind sandbox or mock',
  },
  {
    args: '--target http://x.example --operation getUsr',
    message: '--operation: the contract has no operation "getUsr"; it has ',
  },
  {
    args: '--har x.har --operation getUsr',
    message: '--operation: the contract has no operation "getUsr"; it has ',
  },
  { args: '--har x.har --kind sandbox', message: '--kind does nothing with --har' },
  { args: '--target http://x.example --port 1', message: '--port does nothing with --target' },
]

for (const { args, message } of WRONG_ARGUMENTS) {
  test(`it exits with 2 after ${args}, with one message`, async () => {
    const { code, stdout, stderr } = await run(args, {})
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    })
    expect(stderr).not.toContain('u:secret')
    expect(stderr).not.toContain('    at ')
  })
}

test('it warns of a secret on the command line', async () => {
  const { stderr } = await run(
    '--target http://127.0.0.1:9 --client-key partner --client-secret secret',
    {},
  )
  expect(stderr).toContain('set CLIENT_SECRET in the environment instead')
})

test('it checks against a changed copy of the contract', async () => {
  const copy: { components: { schemas: Record<string, object> } } = structuredClone(contract)
  copy.components.schemas.KeyCheck = { type: 'string' }
  writeFileSync(file('copy.json'), JSON.stringify(copy))
  const { code, stdout } = await run(few(`--spec ${file('copy.json')}`))
  expect(code).toBe(1)
  expect(stdout).toContain('expected string, got object')
})

test('it exits with 2 after a --set that nothing reads, and says what can be set', async () => {
  const { code, stderr } = await run(few('--set list/nxt=/cursor'))
  const message = '--set cannot be used: list has no "/nxt" that can be set; it has /next'
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

/** Lines of nine aliases of the line before each. */
function repeatAliases(lines: number): string {
  const written = Array.from({ length: lines }, (_, i) => {
    const aliases = Array(9).fill(`*a${i}`)
    return `a${i + 1}: &a${i + 1} [${aliases.join(', ')}]`
  })
  return written.join('\n')
}

/** The contract with a schema that is a part of itself. */
function withCircularSchema(): string {
  const ispb = { $ref: '#/components/schemas/C' }
  const copy = withValue(contract, '/components/schemas/C', { allOf: [ispb] })
  return JSON.stringify(withValue(copy, '/components/schemas/KeyCheck/properties/ispb', ispb))
}

const UNUSABLE_CONTRACTS = [
  {
    text: 'openapi: 2.0',
    message: 'bad.yaml:1: "/openapi" must be 3.1, got 2. It must be OpenAPI 3.1 in one file.',
  },
  {
    text: 'openapi: 3.1.0\npaths: {}',
    message: 'has none of the operations of this contract',
  },
  { text: '{"a":', message: 'bad.yaml is not JSON' },
  { text: '{"a" hunter22}', message: 'bad.yaml is not JSON (line 1 column 6)' },
  { text: 'CLIENT_SECRET=hunter22', message: 'is not an OpenAPI document, but string' },
  { text: 'a: b: hunter22', message: 'is not YAML: line 1, column 4: block as implicit key' },
  {
    text: 'a: *hunter22',
    message: 'is not YAML: line 1, column 4: an alias has no anchor above it',
  },
  {
    text: 'a: &hunter22\n  b: *hunter22',
    message: 'is not YAML: line 2, column 6: an alias stands inside of what it names',
  },
  {
    text: `a0: &a0 [hunter22]\n${repeatAliases(9)}`,
    message: 'is not YAML: line 10, column 50: the aliases are too many, or too large',
  },
  {
    text: `{"openapi": "3.1.0", "x-a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    message: 'is nested more than 500 levels deep, at /x-a/0/0/0/0/0/0/0/…',
  },
  { text: withCircularSchema(), message: 'bad.yaml:1: "/components/schemas/C" must not refer' },
]

for (const { text, message } of UNUSABLE_CONTRACTS) {
  test(`it refuses ${JSON.stringify(text).slice(0, 60)} as a contract`, async () => {
    writeFileSync(file('bad.yaml'), text)
    const { code, stderr } = await run(few(`--spec ${file('bad.yaml')}`))
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
    expect(stderr).not.toContain('hunter22')
  })
}

test('it judges a recording, says what it left out, and prints a command that finds the same again', async () => {
  const request = {
    method: 'GET',
    url: `${service.url}/mobile-bff/v1/partner/user?limits=5`,
    headers: [],
  }
  const headers = [{ name: 'content-type', value: 'application/json' }]
  const entries = [{ request, response: { status: 200, headers, content: { text: '{}' } } }]
  writeFileSync(file('session.har'), JSON.stringify({ log: { entries } }))
  const { code, stdout, stderr } = await run(`--har ${file('session.har')} --target ${service.url}`)
  expect(code).toBe(1)
  expect(stderr).toBe(
    'Left out: 0 of other hosts or paths.\nUnknown, and read by no rule: 1 message without all headers, 1 exchange without a readable time.\n',
  )
  const lines = [...stdout.matchAll(/\n {2}partner-payments check (.*)/g)]
  const commands = lines.map(([, command = '']) => command)
  const rules = commands.map((command) => /--only (\S+)/.exec(command)?.[1])
  expect(rules).toContain('requests-valid')
  for (const command of commands) {
    const again = await run(command)
    expect(again.stdout).toContain(`check ${command}\n`)
  }
})

test('it names a response that was cut once, and a request without one', async () => {
  const request = { method: 'GET', url: `${service.url}/mobile-bff/v1/partner/user`, headers: [] }
  const content = { size: 300, mimeType: 'application/json', text: '{"users": [' }
  const cut = { request, response: { status: 200, headers: [], content } }
  const aborted = { request, response: { status: 0, headers: [], content: {} } }
  writeFileSync(file('cut.har'), JSON.stringify({ log: { entries: [cut, aborted] } }))
  const { code, stdout, stderr } = await run(`--har ${file('cut.har')} --target ${service.url}`)
  expect(code).toBe(2)
  expect(stdout).toMatch(/^Traffic with .*: nothing could be assessed\.\n/)
  expect(stderr.split('\n')).toEqual([
    'Left out: 0 of other hosts or paths, 1 that the service did not respond to.',
    expect.stringMatching(/^Unknown, and read by no rule: 1 response without a readable body, /),
    expect.stringMatching(/^Nothing could be assessed, because there was no response/),
    '',
  ])
})

test('it says of a recording without responses that it has nothing to judge', async () => {
  const request = { method: 'GET', url: `${service.url}/mobile-bff/v1/partner/user`, headers: [] }
  const entries = [{ request, response: { status: 0, headers: [], content: {} } }]
  writeFileSync(file('aborted.har'), JSON.stringify({ log: { entries } }))
  const { code, stderr } = await run(`--har ${file('aborted.har')} --target ${service.url}`)
  expect(code).toBe(2)
  expect(stderr).toContain(
    'aborted.har has 1 request to the service, and no response of it; record one with its response',
  )
})

test('it lists the rules, and prints help with examples of each group', async () => {
  expect((await run('--list-rules')).stdout).toMatch(/^records-shown +\S/m)
  const { code, stdout } = await run('--help')
  expect(code).toBe(0)
  const options = [...stdout.matchAll(/^ {2}--(?!help|version)/gm)]
  expect(options.length).toBeLessThanOrEqual(33)
  expect(stdout.match(/^\S.* \(-.*\):$/gm)).toHaveLength(6)
})

/** Starts the command in a process. */
function start(...args: readonly string[]): Program {
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
  return new Program(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, ...CREDENTIALS },
  })
}

test.each([
  { when: 'after Ctrl-C', signal: 'SIGINT', reason: 'Ctrl-C', expected: 130 },
  {
    when: 'when its terminal is closed',
    signal: 'SIGHUP',
    reason: 'the terminal was closed',
    expected: 129,
  },
] as const)(
  'it removes what the run created $when, prints what it found, and exits with $expected',
  async ({ signal, reason, expected }) => {
    service.passed.length = 0
    service.edit = (response, { url }) =>
      url.endsWith(WEBHOOKS) ? changed(response, { brand_new: 1 }) : undefined
    const hasCreated = () => service.passed.some((line) => line.startsWith(`POST ${WEBHOOKS}`))
    const checking = start('--target', service.url, '--kind', 'sandbox')
    await vi.waitUntil(hasCreated, { timeout: 60_000 })
    const { code, stdout, stderr } = await checking.stop(signal)
    expect(code).toBe(expected)
    expect(stderr).toContain('Interrupted: removing what the run created.')
    const summary = `: interrupted \\(${reason}\\)\\. So far 0 failures, 1 deviation`
    expect(stdout).toMatch(new RegExp(`^http.*${summary}`))
    const creations = service.passed.filter((line) => line.startsWith(`POST ${WEBHOOKS} 201`))
    const deletions = service.passed.filter((line) => /^DELETE .*webhook.* 204$/.test(line))
    expect(deletions).toHaveLength(creations.length)
  },
)

test('it judges what passes through a proxy, and prints a report on Ctrl-C', async () => {
  deviate()
  const proxy = start('--proxy', service.url)
  const [, url = ''] = await proxy.printed(/Requests to (\S+) are.*\n/)
  const send = await signedIn(fetch, url)
  await send('POST', KEYS, { dict_key: 'beltrana@example.com' })
  await proxy.printed(/responses-shape: /)
  const { code, stdout } = await proxy.stop('SIGINT')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Traffic with .* passes: 0 failures/)
})

test('it prints a difference that passes through a proxy once, with its operation and path', async () => {
  service.edit = (response) => {
    response.headers.delete('www-authenticate')
    return response
  }
  const proxy = start('--proxy', service.url)
  const [, url = ''] = await proxy.printed(/Requests to (\S+) are.*\n/)
  // Of a service that accepts nobody, a refusal says nothing.
  const send = await signedIn(fetch, url)
  await send('GET', '/mobile-bff/v1/partner/user')
  for (const path of ['/partner/user', '/partner/webhook/'])
    await fetch(`${url}/mobile-bff/v1${path}`)
  await proxy.printed(/http-challenge: /)
  const { stderr } = await proxy.stop('SIGINT')
  const printed = stderr.split('\n').filter((line) => line.includes('http-challenge: '))
  expect(printed).toEqual([
    expect.stringMatching(/^note +listUsers GET \/mobile-bff\/v1\/partner\/user -> 401 /),
  ])
})

test('it says of a service that does not respond that nothing was judged, and exits with 2', async () => {
  const proxy = start('--proxy', 'http://127.0.0.1:9')
  const [, url = ''] = await proxy.printed(/Requests to (\S+) are.*\n/)
  const headers = { authorization: 'Bearer token' }
  const { status } = await fetch(`${url}/mobile-bff/v1/partner/user`, { headers })
  expect(status).toBe(502)
  const { code, stdout, stderr } = await proxy.stop('SIGINT')
  expect(code).toBe(2)
  expect(stdout).toMatch(/^Traffic with .*: nothing could be assessed\.\n/)
  expect(stderr).toContain('Does the service respond, and is its URL right?')
})
