import { readFileSync } from 'node:fs'
import { type Arguments, readArguments, type Values } from '@partner-payments/command'
import { messageOf } from '@partner-payments/contract'
import { readTextFile } from '@partner-payments/contract/file'
import type { RunningMock, ServeOptions } from './serve.ts'
import { MOCK } from './table.ts'

type Flags = Values<typeof MOCK.options>

/**
 * Runs the command line. Returns once the server listens, with the exit code: 0, 1 if it cannot
 * start, 2 for wrong arguments.
 *
 * @param options.name the command as the user typed it, which the help repeats
 */
export async function main(
  args: readonly string[],
  { name = 'partner-payments mock' }: { readonly name?: string } = {},
): Promise<number> {
  const flags = readArguments(MOCK, args, { name, version: version(), toSettings })
  return typeof flags === 'number' ? flags : start(flags)
}

function toSettings({ values }: Arguments<typeof MOCK.options>): Flags {
  return values
}

/** Starts the mock, and prints its address. Returns the exit code: 1 if it cannot start. */
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
    process.stderr.write(describeStartError(error, flags))
    return 1
  }
}

/** The text that is printed once the mock runs. */
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

/** The options of the server for the flags of the command. Reads the contracts that they name. */
function toOptions({ port, host, dynamic, verbose, contract }: Flags): ServeOptions {
  const serveOptions: ServeOptions = {
    port,
    host,
    dynamic: dynamic ?? false,
    verbose: verbose ?? false,
  }
  if (contract) serveOptions.contract = contract.map(readDocument)
  return serveOptions
}

/**
 * Reads a contract from a file.
 *
 * @throws {Error} if it is not JSON; the message of JSON.parse would quote the file
 */
function readDocument(file: string): object {
  const text = readTextFile(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file} is not JSON; name a bundled OpenAPI 3.1 document`)
  }
}

/** Why the mock cannot start, for a person, with what to do. */
function describeStartError(error: unknown, { port, host, contract }: Flags): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    const advice = `Port ${port} of ${host} is in use; choose another with --port, or 0 for a free one.`
    const isDefaultPort = port === MOCK.options.port.default
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
