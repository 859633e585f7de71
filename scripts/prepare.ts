import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** A command of this repository that serves. */
export interface Command {
  readonly name: string
  /** What each flag chooses the port of, and its default. */
  readonly ports: Readonly<Record<string, readonly [serves: string, port: number]>>
  /** What to build before it starts. */
  readonly packages: readonly string[]
}

const ROOT = resolve(import.meta.dirname, '..')

/**
 * Reads the flags, looks at the ports, then builds: the user learns at once what is wrong. Ends the process with 2 if a
 * flag is wrong, and with 1 if a port is in use or the build fails.
 *
 * @returns the port of each flag, in the order of the command; a free one for 0
 */
export async function prepare(command: Command): Promise<number[]> {
  const wanted = readFlags(command)
  const found = await findPorts(wanted)
  const message = describeTaken(command, wanted, found)
  if (message) stop(1, `${command.name}: ${message}`)
  build(command.packages)
  return found.map(Number)
}

/** Each port, or a free one for 0; undefined where another program listens. */
export async function findPorts(wanted: readonly number[]): Promise<(number | undefined)[]> {
  const servers = wanted.map((port) => createServer().listen(port, '127.0.0.1'))
  const found = await Promise.all(
    servers.map((server) =>
      once(server, 'listening').then(
        () => (server.address() as AddressInfo).port,
        () => undefined,
      ),
    ),
  )
  await Promise.all(servers.map((server) => server.listening && once(server.close(), 'close')))
  return found
}

function readFlags(command: Command): number[] {
  try {
    const flags = Object.keys(command.ports)
    const port = { type: 'string' } as const
    const options = Object.fromEntries(flags.map((flag) => [flag, port]))
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean' } } })
    if (values.help) {
      process.stdout.write(usageOf(command))
      process.exit(0)
    }
    const ports = Object.entries(command.ports).map(([flag, [, byDefault]]) =>
      portOf(flag, String(values[flag] ?? byDefault)),
    )
    const double = flags.find((_, index) => ports[index] && ports.indexOf(ports[index]) < index)
    if (double) throw new Error(`--${double} is the port of another flag; choose different ports`)
    return ports
  } catch (error) {
    return stop(2, `${command.name}: ${(error as Error).message}\n\n${usageOf(command)}`)
  }
}

function portOf(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new Error(`--${flag} must be an integer from 0 to 65535, got "${text}"`)
}

function usageOf({ name, ports }: Command): string {
  const lines = Object.entries(ports).map(
    ([flag, [serves, port]]) =>
      `  ${`--${flag} N`.padEnd(16)}  serve the ${serves} on port N, 0 for a free one (${port})\n`,
  )
  const help = `  ${'--help'.padEnd(16)}  print this\n`
  const codes = 'Exit codes: 0 stopped, 1 a port is in use or the build failed, 2 wrong arguments.'
  return `Usage: npx -y pnpm@12 ${name} [flags]\n\n${lines.join('')}${help}\n${codes}\n`
}

/** All ports that are in use, and a command that works; undefined if none is. */
function describeTaken(
  { name, ports }: Command,
  wanted: readonly number[],
  found: readonly unknown[],
): string | undefined {
  const all = Object.entries(ports).map(([flag, [serves, byDefault]], index) => {
    const isTaken = found[index] === undefined
    return { flag, serves, byDefault, isTaken, port: wanted[index] }
  })
  const taken = all.filter(({ isTaken }) => isTaken).map(({ port, serves }) => `${port} (${serves})`)
  if (taken.length === 0) return undefined
  const flags = all
    .filter(({ isTaken, port, byDefault }) => isTaken || port !== byDefault)
    .map(({ flag, isTaken, port }) => `--${flag} ${isTaken ? 0 : port}`)
  const subject = taken.length === 1 ? `port ${taken} is` : `ports ${taken.join(', ')} are`
  return `${subject} in use. Stop what listens there, or take free ports:\n  npx -y pnpm@12 ${name} ${flags.join(' ')}\n`
}

function build(packages: readonly string[]): void {
  const filters = packages.map((name) => `--filter=@partner-payments/${name}`)
  const { status, error } = spawnSync(
    join(ROOT, 'node_modules/.bin/turbo'),
    ['run', 'build', ...filters, '--output-logs=errors-only'],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' } },
  )
  if (error) throw error
  if (status !== 0) process.exit(1)
}

function stop(code: number, text: string): never {
  process.stderr.write(text)
  process.exit(code)
}
