import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { messageOf } from '@partner-payments/contract'
import { readTextFile } from '@partner-payments/contract/file'
import type { RunningMock, ServeOptions } from './serve.ts'

const helpFor = (name: string) => `${name}: a stateless mock of the partner payments service

  --port N           listen on port N, 0 for a free one (4010)
  --host HOST        listen on this address (127.0.0.1)
  --dynamic          generate responses from the schemas instead of the examples
  --contract FILE    mock this bundled OpenAPI 3.1 document, in JSON, instead of the default;
                     may be repeated to serve several documents together
  --verbose          log a line for every request, on stderr
  --help, --version

Examples:
  ${name} --port 4011 --verbose
  ${name} --dynamic

Exit codes: 0 stopped by a signal, 1 cannot start, 2 invalid flags or an old Node.
`

const options = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  dynamic: { type: 'boolean', default: false },
  contract: { type: 'string', multiple: true },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

type Flags = ReturnType<typeof parse>

/**
 * Runs the command line. Returns once the server listens, with the exit code: 0, 1 if it cannot
 * start, 2 for invalid flags.
 *
 * @param options.name the command as the user typed it, which the help repeats
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments mock' }: { readonly name?: string } = {},
): Promise<number> {
  const help = helpFor(name)
  try {
    const flags = readFlags(args)
    if (flags.help) {
      process.stdout.write(help)
      return 0
    }

    if (flags.version) {
      process.stdout.write(`${version()}\n`)
      return 0
    }

    return await start(flags)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${help}`)
    return 2
  }
}

async function start(flags: Flags): Promise<number> {
  try {
    const options = toOptions(flags)
    // Loaded late, since Prism takes most of the startup time and --help does not need it.
    const { serve } = await import('./serve.ts')
    const mock = await serve(options)

    // Registered before the address is printed, since a reader of that line may stop it at once.
    stopOnSignal(mock)
    process.stdout.write(`${greeting(mock, flags)}\n`)
    return 0
  } catch (error) {
    process.stderr.write(explain(error, flags))
    return 1
  }
}

function greeting({ url }: RunningMock, { contract }: Flags): string {
  const address = `The mock runs on ${url}`
  // Another contract may not have the operation of the example call.
  if (contract) return address

  const call = `curl -u partner:secret -X POST ${url}/mobile-bff/v1/auth/partner/token/`
  return `${address}, try ${call}`
}

function stopOnSignal(mock: RunningMock): void {
  // A second signal ends the process at once, since `once` restores the default.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void mock.close())
}

function readFlags(args: readonly string[]): Flags {
  const flags = parse(args)
  if (isPort(flags.port)) return flags
  throw new Error(`--port must be an integer from 0 to 65535, got "${flags.port}"`)
}

function isPort(text: string): boolean {
  const isDecimal = /^\d{1,5}$/.test(text)
  return isDecimal && Number(text) <= 65_535
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options }).values
}

function toOptions({ port, host, dynamic, verbose, contract }: Flags): ServeOptions {
  const serveOptions: ServeOptions = {
    port: Number(port),
    host,
    dynamic,
    verbose,
  }
  if (contract) serveOptions.contract = contract.map(readDocument)
  return serveOptions
}

/** @throws {Error} if it is not JSON; the message of JSON.parse would quote the file */
function readDocument(file: string): object {
  const text = readTextFile(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file} is not JSON; name a bundled OpenAPI 3.1 document`)
  }
}

function explain(error: unknown, { port, host, contract }: Flags): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    const advice = `Port ${port} of ${host} is in use; choose another with --port, or 0 for a free one.`
    const isDefaultPort = port === options.port.default
    return isDefaultPort ? `${advice} Another mock may be running.\n` : `${advice}\n`
  }

  const reason = messageOf(error)
  if (contract) return `The mock cannot start with ${contract.join(' and ')}: ${reason}\n`
  return `The mock cannot start: ${reason}\n`
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(manifest).version
}
