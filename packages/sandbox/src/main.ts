import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { messageOf } from '@partner-payments/contract'
import { mostWebhooks } from './behaviour.ts'
import { docsPages } from './docs-pages.ts'
import { PARTNERS } from './seed/data.ts'
import type { RunningSandbox, ServeOptions } from './serve.ts'
import { createCors } from './service/cors.ts'
import { createHostCheck } from './service/host.ts'
import { testDataLines } from './test-data.ts'

const helpOf = (name: string) => `${name}: the partner payments service, stateful, on this machine

  --port N           listen on port N, 0 for a free one (4020)
  --host HOST        listen on this address (127.0.0.1)
  --file PATH        keep the state in this file (.sandbox/state.db)
  --memory           keep the state in memory only
  --allow-host NAME  serve requests for this host, besides localhost and IP addresses; may be repeated
  --allow-origin URL let pages of this origin call the operations, besides localhost; may be repeated
  --no-control       no page, and nothing under /_sandbox/ but health, ready and metrics
  --no-loopback      deliver webhooks only by https, to public addresses
  --no-rate-limits   never return 429
  --settle-after MS  settle transfers after this many milliseconds (100)
  --max-webhooks N   let a partner have at most this many webhooks (${mostWebhooks()})
  --check-responses  validate every response; an invalid one becomes a 500
  --docs URL         link the page, and type of each error, to the docs at this base URL
  --verbose          log every request and delivery as a line of JSON, on stderr
  --help, --version

Examples:
  ${name} --memory
  ${name} --port 4021 --settle-after 2000

DATABASE_URL=postgres://... keeps the state in that PostgreSQL, which several sandboxes may share. --file and --memory
override it.
Exit codes: 0 stopped by a signal, 1 cannot start, 2 invalid flags or an old Node.
`

const options = {
  port: { type: 'string', default: '4020' },
  host: { type: 'string', default: '127.0.0.1' },
  file: { type: 'string' },
  memory: { type: 'boolean', default: false },
  'allow-host': { type: 'string', multiple: true, default: [] as string[] },
  'allow-origin': { type: 'string', multiple: true, default: [] as string[] },
  control: { type: 'boolean', default: true },
  loopback: { type: 'boolean', default: true },
  'rate-limits': { type: 'boolean', default: true },
  'settle-after': { type: 'string', default: '100' },
  'max-webhooks': { type: 'string', default: String(mostWebhooks()) },
  'check-responses': { type: 'boolean', default: false },
  docs: { type: 'string' },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

type Flags = ReturnType<typeof parse>

/**
 * Runs the command line and returns once the server listens. Ends the process if it cannot start.
 *
 * @param options.name the command as the user typed it, which the help repeats
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments sandbox' }: { readonly name?: string } = {},
): Promise<void> {
  const help = helpOf(name)
  const flags = readFlags(args, help)
  if (flags.help) {
    process.stdout.write(help)
    return
  }
  if (flags.version) {
    process.stdout.write(`${version()}\n`)
    return
  }
  await start(flags)
}

async function start(flags: Flags): Promise<void> {
  try {
    // Loaded here, because --help does not need it.
    const { serve } = await import('./serve.ts')
    const options = toOptions(flags)
    const sandbox = await serve(options)
    // Before printing the URL, because a caller that reads it may stop the process at once.
    stopOnSignal(sandbox)
    process.stdout.write(startMessage(sandbox, options))
  } catch (error) {
    fail(1, explain(error, flags))
  }
}

function stopOnSignal(sandbox: RunningSandbox): void {
  // `once` restores the default, so a second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sandbox.close())
}

function readFlags(args: readonly string[], help: string): Flags {
  try {
    const flags = parse(args)
    checkInteger('--port', flags.port, 65_535)
    checkInteger('--settle-after', flags['settle-after'], 86_400_000)
    checkInteger('--max-webhooks', flags['max-webhooks'], 100_000)
    createHostCheck(flags['allow-host'])
    createCors(flags['allow-origin'])
    if (flags.docs !== undefined) docsPages(flags.docs)
    if (flags.memory && flags.file !== undefined) {
      throw new Error('--memory and --file exclude each other')
    }
    return flags
  } catch (error) {
    return fail(2, `${messageOf(error)}\n\n${help}`)
  }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowNegative: true }).values
}

function checkInteger(flag: string, text: string, max: number): void {
  const isInteger = /^\d{1,8}$/.test(text)
  if (isInteger && Number(text) <= max) return
  throw new Error(`${flag} must be an integer from 0 to ${max}, got "${text}"`)
}

function toOptions(flags: Flags): ServeOptions {
  return {
    port: Number(flags.port),
    host: flags.host,
    ownsProcess: true,
    control: flags.control,
    verbose: flags.verbose,
    allowLoopback: flags.loopback,
    limitsRates: flags['rate-limits'],
    settleAfterMs: Number(flags['settle-after']),
    maxWebhooks: Number(flags['max-webhooks']),
    checksResponses: flags['check-responses'],
    docs: flags.docs,
    allowedHosts: flags['allow-host'],
    allowedOrigins: flags['allow-origin'],
    ...placeOf(flags),
  }
}

/** Flags take precedence over DATABASE_URL, which may be meant for another program. */
function placeOf({ memory, file }: Flags): Pick<ServeOptions, 'databaseUrl' | 'file'> {
  const { DATABASE_URL } = process.env
  if (memory) return {}
  if (DATABASE_URL && file === undefined) return { databaseUrl: DATABASE_URL }
  return { file: file ?? '.sandbox/state.db' }
}

function explain(error: unknown, { port, host }: Flags): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE') return `The sandbox cannot start: ${messageOf(error)}\n`

  const hint = port === options.port.default ? ' Another sandbox may be running.' : ''
  return `Port ${port} of ${host} is in use; choose another with --port, or 0 for a free one.${hint}\n`
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}

function fail(code: number, text: string): never {
  process.stderr.write(text)
  process.exit(code)
}

function startMessage(
  { url, store }: RunningSandbox,
  { control, file = 'memory' }: ServeOptions,
): string {
  const place = store.backend === 'postgres' ? 'PostgreSQL' : file
  const hint = control ? '; open it in a browser' : ''
  const [partner] = PARTNERS
  const credentials = `${partner.client_key}:${partner.client_secret}`
  return `
  The sandbox runs on ${url}${hint}.
  Its state is in ${place}.

${testDataLines()}

  Try:  curl -u ${credentials} -X POST ${url}/mobile-bff/v1/auth/partner/token/

  Ctrl-C stops.
`
}
