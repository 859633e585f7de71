import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { decodeCommand } from './decode.ts'
import { CliError } from './errors.ts'
import { listenCommand } from './listen.ts'
import { report } from './terminal.ts'
import { EVENTS, triggerCommand } from './trigger.ts'

const NAME = 'partner-payments'

/** Commands of other packages, which read their own flags. Each is loaded only when it runs. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  mock: {
    description: 'run a stateless mock (port 4010)',
    load: () => import('@partner-payments/mock/main'),
  },
  sandbox: {
    description: 'run a stateful sandbox with a page (port 4020)',
    load: () => import('@partner-payments/sandbox/main'),
  },
  check: {
    description: 'check whether a running service conforms to the contract',
    load: () => import('@partner-payments/conformance/main'),
  },
}

interface Program {
  readonly description: string
  load(): Promise<{ main(args: readonly string[], options: { name: string }): Promise<unknown> }>
}

/** A static payment code, for the examples. */
const CODE =
  '00020126420014br.gov.bcb.pix0120beltrana@example.com520400005303986540512.505802BR5908Beltrana6008Brasilia62070503***630454A9'

/**
 * Runs one command. Returns the exit code: 0 done, 1 it failed, 2 the arguments are invalid, or the
 * code of the command.
 */
export async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
  if (program) {
    const { main: runProgram } = await program.load()
    const exitCode = await runProgram(rest, { name: `${NAME} ${name}` })
    return Number(exitCode ?? 0)
  }

  try {
    await createCommands().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CliError)) throw error
    report(error.message)
    return error.exitCode
  }
}

function createCommands(): Command {
  const program = new Command(NAME)
    .description('Run, check and try the partner payments service.')
    .version(readVersion())
    .exitOverride()
    .showHelpAfterError(`Run \`${NAME} --help\` for the commands.`)
    .addHelpText(
      'after',
      examples('sandbox --memory', 'check --target http://127.0.0.1:4020 --kind sandbox') +
        EXIT_CODES,
    )
  for (const [name, { description }] of Object.entries(PROGRAMS))
    program.command(name).description(`${description}; see \`${NAME} ${name} --help\``)
  addListen(program)
  addTrigger(program)
  addMcp(program)
  addDecode(program)
  // Commands inherit the settings that the program had when they were created, and that advice is
  // on the program.
  for (const command of program.commands)
    command.showHelpAfterError(`Run \`${NAME} ${command.name()} --help\` for its options.`)
  return program
}

function addListen(program: Command): void {
  const listen = program
    .command('listen')
    .description('register a webhook, print each delivery, and forward it')
    .option(
      '--forward <url>',
      'forward the bytes of each delivery to this URL, and respond with its status',
    )
    .option(
      '--url <url>',
      'the public URL of this machine to register, if the service cannot reach it directly',
    )
    .option('--port <number>', 'listen on this port (0: a free one)', '0')
    .addOption(
      new Option('--type <type>', 'events to receive')
        .choices(['all', 'transfer', 'qrcode'])
        .default('all'),
    )
    .option('--show-secret', 'print the secret of the webhook')
    .addHelpText(
      'after',
      examples('listen', 'listen --type transfer --forward http://127.0.0.1:3000/hooks'),
    )
  addService(listen).action(listenCommand)
}

function addTrigger(program: Command): void {
  const trigger = program
    .command('trigger')
    .description('make an event happen in the sandbox')
    .argument('<event>', Object.keys(EVENTS).join(', '))
    .option('--set <field=value>', 'set a field of the request; may be repeated', collect)
    .addHelpText(
      'after',
      examples('trigger transfer.settled --set amount=12.50', 'trigger qrcode.paid --json'),
    )
  addSandbox(addService(trigger)).action(triggerCommand)
}

function addMcp(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('serve the docs, the contract and a sandbox to an agent, over stdio')
    .addHelpText('after', examples('mcp', 'mcp --target http://127.0.0.1:4020'))
  addSandbox(addTarget(mcp)).action(async (flags) => {
    const { mcpCommand } = await import('./mcp/server.ts')
    await mcpCommand({ ...flags, version: readVersion() })
  })
}

function addDecode(program: Command): void {
  program
    .command('decode')
    .description('decode a payment code (BR Code) and draw it')
    .argument(
      '[code...]',
      'the code, in quotes; without it, or with -, it is read from stdin',
      oneCode,
      undefined,
    )
    .option('--lenient', 'accept the deviations that banks are known to issue, and list them')
    .option('--no-qr', 'do not draw the QR code')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(`decode '${CODE}'`, `decode --json '${CODE}'`))
    .action(decodeCommand)
}

const EXIT_CODES =
  '\nExit codes: 0 done, 1 failed, 2 wrong arguments or an old Node; check has its own.'

function examples(...commands: readonly string[]): string {
  const lines = commands.map((command) => `  ${NAME} ${command}\n`)
  return `\nExamples:\n${lines.join('')}`
}

/** A code has spaces: without quotes, the shell makes several arguments of it. */
function oneCode(value: string, previous: readonly string[] | undefined): readonly string[] {
  if (previous) throw new InvalidArgumentError('Put a code that has spaces in quotes.')
  return [value]
}

function addService(command: Command): Command {
  return addTarget(command).option('--json', 'print one line of JSON for each event')
}

function addTarget(command: Command): Command {
  return command
    .option('--target <url>', 'the service', process.env.TARGET ?? 'http://127.0.0.1:4020')
    .option('--client-key <key>', 'the client key', process.env.CLIENT_KEY)
    .option('--client-secret <secret>', 'the client secret', process.env.CLIENT_SECRET)
}

function addSandbox(command: Command): Command {
  return command.option(
    '--allow-remote-sandbox',
    'take a sandbox that is not on this machine (localhost, 127.0.0.0/8 or ::1)',
  )
}

/** The values of an option that may be repeated. */
function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return JSON.parse(text).version
}
