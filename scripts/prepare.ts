import { freePort } from '@partner-payments/bench'
import { type Help, readArguments } from './arguments.ts'
import { runTurbo } from './turbo.ts'

/** A command of this repository that serves. */
export interface Command extends Pick<Help, 'name' | 'about' | 'examples'> {
  /** What each flag chooses the port of, and its default. */
  readonly ports: Readonly<Record<string, readonly [serves: string, port: number]>>
  /** What to build before it starts. */
  readonly packages: readonly string[]
  /** Loads meanwhile what needs no build. */
  readonly load?: () => Promise<unknown>
}

interface Port {
  readonly flag: string
  readonly serves: string
  readonly byDefault: number
  readonly wanted: number
}

/**
 * Reads the flags, looks at the ports, then builds, so that the user learns at once what is wrong.
 * Ends the process with 2 if a flag is wrong, and with 1 if a port is in use or the build fails.
 *
 * @returns the port of each flag, in the order of the command; a free one for 0
 */
export async function prepare(command: Command): Promise<number[]> {
  const ports = readFlags(command)
  const found = await Promise.all(ports.map(({ wanted }) => findPort(wanted))).catch(
    ({ message }: Error) => stop(1, `${command.name}: ${message}\n`),
  )
  if (found.includes(undefined)) stop(1, describeTaken(command, ports, found))
  await Promise.all([build(command.packages), command.load?.()])
  return found.map(Number)
}

/** The port, or a free one for 0; undefined where another program listens. */
function findPort(wanted: number): Promise<number | undefined> {
  return freePort(wanted).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error
    return undefined
  })
}

function readFlags(command: Command): Port[] {
  const flags = Object.keys(command.ports).map((flag) => [flag, { type: 'string' }] as const)
  return readArguments(helpOf(command), { options: Object.fromEntries(flags) }, ({ values }) => {
    const given: Readonly<Record<string, unknown>> = values
    const ports = Object.entries(command.ports).map(([flag, [serves, byDefault]]): Port => {
      return { flag, serves, byDefault, wanted: portOf(flag, String(given[flag] ?? byDefault)) }
    })
    expectDifferent(ports)
    return ports
  })
}

function portOf(flag: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new Error(`--${flag} must be an integer from 0 to 65535, got "${text}"`)
}

function expectDifferent(ports: readonly Port[]): void {
  const chosen = ports.map(({ wanted }) => wanted).filter((port) => port !== 0)
  const double = chosen.find((port, index) => chosen.indexOf(port) < index)
  if (double) throw new Error(`port ${double} is chosen twice; choose different ports`)
}

function helpOf({ name, about, ports, examples }: Command): Help {
  const flags = Object.entries(ports).map(([flag, [serves, byDefault]]) => [
    `--${flag} N`,
    `serve the ${serves} on port N, 0 for a free one (${byDefault})`,
  ])
  const exitCodes = '0 stopped, 1 a port is in use or the build failed, 2 wrong arguments'
  return { name, about, usage: '[flags]', flags: Object.fromEntries(flags), examples, exitCodes }
}

/** Every port that is in use, and a command with free ones. */
function describeTaken(
  { name }: Command,
  ports: readonly Port[],
  found: readonly unknown[],
): string {
  const isTaken = (_: Port, index: number) => found[index] === undefined
  const taken = ports.filter(isTaken).map(({ wanted, serves }) => `${wanted} (${serves})`)
  const flags = ports
    .map((port, index) => ({ ...port, use: isTaken(port, index) ? 0 : port.wanted }))
    .filter(({ use, byDefault }) => use !== byDefault)
    .map(({ flag, use }) => `--${flag} ${use}`)
  const subject = taken.length === 1 ? `port ${taken} is` : `ports ${taken.join(', ')} are`
  return `${name}: ${subject} in use. Stop what listens there, or take free ports:
  npx -y pnpm@12 ${name} ${flags.join(' ')}
`
}

/** Builds without a word, or ends the process with 1 if a build fails. */
export async function build(packages: readonly string[]): Promise<void> {
  const filters = packages.map((name) => `--filter=@partner-payments/${name}`)
  if ((await runTurbo(['run', 'build', ...filters], true)) !== 0) process.exit(1)
}

function stop(code: number, text: string): never {
  process.stderr.write(text)
  process.exit(code)
}
