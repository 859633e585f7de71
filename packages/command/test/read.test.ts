import { afterEach, expect, test, vi } from 'vitest'
import {
  type CommandTable,
  optionsTable,
  readArguments,
  readEach,
  readInteger,
  readList,
} from '../src/index.ts'

const TABLE = {
  about: 'Runs a service.',
  operands: { usage: '[file...]', help: 'what it serves' },
  options: {
    port: {
      group: 'Where',
      value: 'number',
      help: 'listen on this port',
      read: readInteger(65_535),
      default: 4020,
    },
    'allow-host': { value: 'name', help: 'serve this host too', read: readEach },
    only: { value: 'names', help: 'only these', read: readList },
    kind: { value: 'kind', help: 'what it is', choices: ['mock', 'live'] },
    memory: { group: 'What', help: 'keep nothing', excludes: ['file'] },
    file: { value: 'path', help: 'keep it in this file' },
    'no-control': { help: 'no page' },
    'client-key': { value: 'key', help: 'signs in', variable: 'KIT_KEY' },
  },
  examples: ['--port 0', '--memory'],
  notes: 'DATABASE_URL is read too.',
  exitCodes: '0 done, 2 wrong arguments',
} as const satisfies CommandTable

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Reads arguments, with what is printed. */
function read(...args: readonly string[]) {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += text
      return true
    })
  const settings = readArguments(TABLE, args, {
    name: 'serve',
    version: '1.2.3',
    toSettings(given) {
      if (given.values.port === 1) throw new Error('port 1 is taken')
      return given
    },
  })
  vi.restoreAllMocks()
  return { settings, ...output }
}

test('it reads each kind of option by its type', () => {
  vi.stubEnv('KIT_KEY', 'partner')
  const args = '--port 8080 --allow-host a --allow-host b --only x,y --only z --kind mock --memory'
  const { settings } = read(...args.split(' '), '--no-control', 'one', 'two')
  expect(settings).toEqual({
    values: {
      port: 8080,
      allowHost: ['a', 'b'],
      only: ['x', 'y', 'z'],
      kind: 'mock',
      memory: true,
      control: false,
      clientKey: 'partner',
    },
    operands: ['one', 'two'],
    given: [
      { name: 'port', text: '8080' },
      { name: 'allow-host', text: 'a' },
      { name: 'allow-host', text: 'b' },
      { name: 'only', text: 'x,y' },
      { name: 'only', text: 'z' },
      { name: 'kind', text: 'mock' },
      { name: 'memory', text: undefined },
      { name: 'no-control', text: undefined },
    ],
  })
})

test('it leaves out what is not given, and has no option given by a default', () => {
  const { settings } = read()
  expect(settings).toEqual({ values: { port: 4020, control: true }, operands: [], given: [] })
})

const WRONG = [
  { args: '--prot 1', message: "error: unknown option '--prot'\n(Did you mean --port?)\n" },
  {
    args: '--port x',
    message:
      "error: option '--port <number>' argument 'x' is invalid. It must be an integer from 0 to 65535.\n",
  },
  {
    args: '--kind prod',
    message:
      "error: option '--kind <kind>' argument 'prod' is invalid. Allowed choices are mock, live.\n",
  },
  {
    args: '--only ,',
    message:
      "error: option '--only <names>' argument ',' is invalid. It needs at least one item.\n",
  },
  { args: '--file', message: "error: option '--file <path>' argument missing\n" },
  {
    args: '--memory --file x',
    message: "error: option '--memory' cannot be used with option '--file <path>'\n",
  },
  { args: '--port 1', message: 'error: port 1 is taken\n' },
  { args: '--\u001b[2J', message: "error: unknown option '--\\u001b[2J'\n" },
]

for (const { args, message } of WRONG) {
  test(`it refuses ${JSON.stringify(args)} by name, and says how to get help`, () => {
    expect(read(...args.split(' '))).toEqual({
      settings: 2,
      stdout: '',
      stderr: `${message}Run \`serve --help\` for the options.\n`,
    })
  })
}

test('it prints the version', () => {
  expect(read('--version')).toEqual({ settings: 0, stdout: '1.2.3\n', stderr: '' })
})

test('it prints a help of the whole table, and no value of the environment', () => {
  vi.stubEnv('KIT_KEY', 'secret')
  expect(read('--help')).toMatchInlineSnapshot(`
    {
      "settings": 0,
      "stderr": "",
      "stdout": "Usage: serve [options] [file...]

    Runs a service.

    Arguments:
      file                 what it serves

    Where:
      --port <number>      listen on this port (default: 4020)
      --allow-host <name>  serve this host too
      --only <names>       only these
      --kind <kind>        what it is (mock, live)

    What:
      --memory             keep nothing
      --file <path>        keep it in this file
      --no-control         no page
      --client-key <key>   signs in (or KIT_KEY in the environment)

    Options:
      -V, --version        print the version
      -h, --help           print this

    Examples:
      serve --port 0
      serve --memory

    DATABASE_URL is read too.

    Exit codes: 0 done, 2 wrong arguments.
    ",
    }
  `)
})

test('it writes the options of a table in Markdown', () => {
  expect(optionsTable(TABLE.options)).toMatchInlineSnapshot(`
    "| Option | What it does |
    |---|---|
    | \`--port <number>\` | listen on this port (default: 4020) |
    | \`--allow-host <name>\` | serve this host too |
    | \`--only <names>\` | only these |
    | \`--kind <kind>\` | what it is (mock, live) |
    | \`--memory\` | keep nothing |
    | \`--file <path>\` | keep it in this file |
    | \`--no-control\` | no page |
    | \`--client-key <key>\` | signs in (or KIT_KEY in the environment) |"
  `)
})
