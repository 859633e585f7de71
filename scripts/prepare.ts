import { type CommandTable, type Option, readPort, valueName } from '@partner-payments/command'
import { freePort } from '@partner-payments/programs'
import { readScriptArguments } from './arguments.ts'
import { runTurbo } from './turbo.ts'

/** A command of this repository that serves. */
export interface Command extends Pick<CommandTable, 'about' | 'examples'> {
  /** The name of its script. */
  readonly name: string
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

interface CheckedPort extends Port {
  /** The port to listen on; undefined where another program listens. */
  readonly free: number | undefined
}

/**
 * Reads the flags, looks at the ports, then builds, so that the user learns at once what is wrong.
 * Ends the process with 2 if a flag is wrong, and with 1 if a port is in use or the build fails.
 *
 * @returns the port of each flag, in the order of the command; a free one for 0
 */
export async function prepare(command: Command): Promise<number[]> {
  const ports = readFlags(command)
  const checkedPorts = await Promise.all(ports.map(checkPort)).catch(({ message }: Error) =>
    stop(1, `${command.name}: ${message}\n`),
  )
  const freePorts = checkedPorts.map(({ free }) => free).filter((port) => port !== undefined)
  const areAllFree = freePorts.length === ports.length
  if (!areAllFree) stop(1, describeTaken(command, checkedPorts))

  await Promise.all([build(command.packages), command.load?.()])
  return freePorts
}

async function checkPort(port: Port): Promise<CheckedPort> {
  return { ...port, free: await findPort(port.wanted) }
}

/** The port, or a free one for 0; undefined where another program listens. */
function findPort(wanted: number): Promise<number | undefined> {
  return freePort(wanted).catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error
    return undefined
  })
}

/** Reads the port of each flag from the arguments. Ends the process with 2 if one is wrong. */
function readFlags(command: Command): readonly Port[] {
  return readScriptArguments(command.name, createTable(command), ({ values }) => {
    const ports = Object.entries(command.ports).map(([flag, [serves, byDefault]]): Port => {
      const wanted = values[valueName(flag)] ?? byDefault
      return { flag, serves, byDefault, wanted }
    })
    requireDifferent(ports)
    return ports
  })
}

function requireDifferent(ports: readonly Port[]): void {
  const chosen = ports.map(({ wanted }) => wanted).filter((port) => port !== 0)
  const repeated = chosen.find((port, index) => chosen.indexOf(port) < index)
  if (repeated) throw new Error(`port ${repeated} is chosen twice; choose different ports`)
}

interface PortOption extends Option {
  readonly read: (text: string) => number
  readonly default: number
}

type PortOptions = Readonly<Record<string, PortOption>>

/** The table of options of a command, which has one option for each of its ports. */
function createTable({ about, ports, examples }: Command): CommandTable<PortOptions> {
  const options: Record<string, PortOption> = {}
  for (const [flag, [serves, byDefault]] of Object.entries(ports)) {
    options[flag] = {
      value: 'number',
      help: `serve the ${serves} on this port, 0 for a free one`,
      read: readPort,
      default: byDefault,
    }
  }
  const exitCodes = '0 stopped, 1 a port is in use or the build failed, 2 wrong arguments'
  return { about, options, examples, exitCodes }
}

/** The message about ports that are in use, with a command that takes free ones. */
function describeTaken({ name }: Command, ports: readonly CheckedPort[]): string {
  const taken = ports.filter(isTaken).map(({ wanted, serves }) => `${wanted} (${serves})`)
  const subject = taken.length === 1 ? `port ${taken[0]} is` : `ports ${taken.join(', ')} are`
  const flags = ports.flatMap(adviseFlag)
  return `${name}: ${subject} in use. Stop what listens there, or take free ports:
  npx -y pnpm@12 ${name} ${flags.join(' ')}
`
}

function isTaken({ free }: CheckedPort): boolean {
  return free === undefined
}

/** The flag that takes a free port instead of one in use, and any other one as it is. */
function adviseFlag(port: CheckedPort): string[] {
  const advised = isTaken(port) ? 0 : port.wanted
  return advised === port.byDefault ? [] : [`--${port.flag} ${advised}`]
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
