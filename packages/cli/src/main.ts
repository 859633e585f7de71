import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { decodeCommand } from './decode.ts'
import { listenCommand } from './listen.ts'
import { CliError } from './service.ts'
import { EVENTS, triggerCommand } from './trigger.ts'

/** Commands of other packages, which read their own flags. Each is loaded only when it runs. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  mock: {
    description: 'run a stateless mock (port 4010)',
    run: async (args) => (await import('@partner-payments/mock/main')).main(args),
  },
  sandbox: {
    description: 'run a stateful sandbox with a page (port 4020)',
    run: async (args) => (await import('@partner-payments/sandbox/main')).main(args),
  },
  check: {
    description: 'check whether a running service conforms to the contract',
    run: async (args) => (await import('@partner-payments/conformance/main')).main(args),
  },
}

interface Program {
  readonly description: string
  run(args: readonly string[]): Promise<unknown>
}

/** Runs one command. Returns the exit code: 0 done, 1 it failed, 2 the arguments are invalid, or the code of the command. */
export async function main(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args
  if (Object.hasOwn(PROGRAMS, name)) return Number((await PROGRAMS[name]?.run(rest)) ?? 0)
  try {
    await commands().parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CliError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

function commands(): Command {
  const program = new Command('partner-payments')
    .description('Run, check and try the partner payments service.')
    .version(versionOf())
    .exitOverride()
    .showHelpAfterError('Run `partner-payments --help` for the commands.')
  for (const [name, { description }] of Object.entries(PROGRAMS))
    program.command(name).description(`${description}; see \`${name} --help\``)
  addService(
    program
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
      .option('--show-secret', 'print the secret of the webhook'),
  ).action(listenCommand)
  addService(
    program
      .command('trigger')
      .description('make an event happen in the sandbox')
      .argument('<event>', Object.keys(EVENTS).join(', '))
      .option('--set <field=value>', 'set a field of the request; may be repeated', collect, []),
  ).action(triggerCommand)
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
    .action(decodeCommand)
  return program
}

/** A code has spaces: without quotes, the shell makes several arguments of it. */
function oneCode(value: string, previous: readonly string[] | undefined): readonly string[] {
  if (previous) throw new InvalidArgumentError('Put a code that has spaces in quotes.')
  return [value]
}

function addService(command: Command): Command {
  return command
    .option('--target <url>', 'the service', process.env.TARGET ?? 'http://127.0.0.1:4020')
    .option('--client-key <key>', 'the client key', process.env.CLIENT_KEY)
    .option('--client-secret <secret>', 'the client secret', process.env.CLIENT_SECRET)
    .option('--json', 'print one line of JSON for each event')
}

function collect(value: string, all: readonly string[]): string[] {
  return [...all, value]
}

function versionOf(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
