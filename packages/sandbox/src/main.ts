import { readFileSync } from 'node:fs'
import { type Arguments, readArguments, type Values } from '@partner-payments/command'
import { messageOf } from '@partner-payments/contract'
import { FILE } from './defaults.ts'
import { readDocsPages } from './docs-pages.ts'
import { FIRST_PARTNER } from './seed/first-partner.ts'
import type { RunningSandbox, ServeOptions } from './serve.ts'
import { createCors } from './service/cors.ts'
import { createHostGuard } from './service/host.ts'
import { SANDBOX } from './table.ts'
import { testDataLines } from './test-data.ts'

type Flags = Values<typeof SANDBOX.options>

/**
 * Runs the command line. Returns once the server listens, with the exit code: 0, or 2 for wrong
 * arguments. Ends the process if it cannot start.
 *
 * @param options.name the command as the user typed it, which the help repeats
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments sandbox' }: { readonly name?: string } = {},
): Promise<number> {
  const flags = readArguments(SANDBOX, args, { name, version: version(), toSettings })
  if (typeof flags === 'number') return flags

  await start(flags)
  return 0
}

/**
 * The options of the user as they are. Creates what needs a host, an origin or the docs only to
 * find out whether one is invalid.
 *
 * @throws {TypeError} if one is
 */
function toSettings({ values }: Arguments<typeof SANDBOX.options>): Flags {
  createHostGuard(values.allowHost ?? [])
  createCors(values.allowOrigin ?? [])
  if (values.docs !== undefined) readDocsPages(values.docs)
  return values
}

/** Serves the sandbox until a signal, and prints its URL. Ends the process if it cannot start. */
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
    process.stderr.write(explain(error, flags))
    // At once: what was opened before the error may keep the process alive.
    process.exit(1)
  }
}

function stopOnSignal(sandbox: RunningSandbox): void {
  // `once` restores the default, so a second signal ends the process at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void sandbox.close())
}

/** The options of `serve` for the flags of the command line. */
function toOptions(flags: Flags): ServeOptions {
  return {
    port: flags.port,
    host: flags.host,
    ownsProcess: true,
    control: flags.control,
    verbose: flags.verbose ?? false,
    allowLoopback: flags.loopback,
    limitsRates: flags.rateLimits,
    settleAfterMs: flags.settleAfter,
    maxWebhooks: flags.maxWebhooks,
    checksResponses: flags.checkResponses ?? false,
    docs: flags.docs,
    allowedHosts: flags.allowHost ?? [],
    allowedOrigins: flags.allowOrigin ?? [],
    ...chooseStore(flags),
  }
}

/**
 * Where the state is: in memory, in a file or in PostgreSQL. Flags take precedence over
 * DATABASE_URL, which may be meant for another program.
 */
function chooseStore({ memory, file }: Flags): Pick<ServeOptions, 'databaseUrl' | 'file'> {
  const { DATABASE_URL } = process.env
  if (memory) return {}
  if (DATABASE_URL && file === undefined) return { databaseUrl: DATABASE_URL }
  return { file: file ?? FILE }
}

/** Why the sandbox cannot start, for a person. */
function explain(error: unknown, { port, host }: Flags): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EADDRINUSE') return `The sandbox cannot start: ${messageOf(error)}\n`

  const hint = port === SANDBOX.options.port.default ? ' Another sandbox may be running.' : ''
  return `Port ${port} of ${host} is in use; choose another with --port, or 0 for a free one.${hint}\n`
}

function version(): string {
  const file = new URL('../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** What the command prints once the server listens: its URL, its test data and a first command. */
function startMessage(
  { url, store }: RunningSandbox,
  { control, file = 'memory' }: ServeOptions,
): string {
  const place = store.backend === 'postgres' ? 'PostgreSQL' : file
  const hint = control ? '; open it in a browser' : ''
  const credentials = `${FIRST_PARTNER.client_key}:${FIRST_PARTNER.client_secret}`
  return `
  The sandbox runs on ${url}${hint}.
  Its state is in ${place}.

${testDataLines()}

  Try:  curl -u ${credentials} -X POST ${url}/mobile-bff/v1/auth/partner/token/

  Ctrl-C stops.
`
}
