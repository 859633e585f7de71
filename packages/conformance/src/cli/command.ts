import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { CHECK_OPTIONS, type CheckOptions, selectable } from '../options.ts'
import { RENDERERS } from '../report/formats.ts'
import { FAIL_ON, GATES } from '../report/summary.ts'
import { requestsValid } from '../traffic.ts'

/** The parsed options, by their names in camel case. */
export type Flags = ReturnType<ReturnType<typeof createCommand>['opts']>

export const EXIT_CODES = [
  [0, 'nothing that fails the run'],
  [1, 'findings that fail it, too little coverage, or few accepted requests'],
  [2, 'could not run, or not to its end'],
  [130, 'interrupted by Ctrl-C'],
  [143, 'interrupted by SIGTERM'],
] as const

/** The command line. It throws a CommanderError instead of ending the process. */
export function createCommand(name: string, version: string) {
  return new Command(name)
    .description(
      'Checks whether a running service conforms to the contract, or judges recorded traffic.',
    )
    .exitOverride()
    .configureHelp({ helpWidth: 120 })
    .showHelpAfterError(`Run \`${name} --help\` for the options.`)
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this')
    .addHelpText('after', () => endOf(name))

    .optionsGroup('The service (--target http://127.0.0.1:4020 --kind sandbox):')
    .option('--target <url>', 'its base URL')
    .addOption(new Option('--kind <kind>', KINDS).choices(['mock', 'sandbox', 'live']))
    .option('--allow-remote-sandbox', 'with --kind sandbox or mock: it may be on another machine')
    .option(
      '--disposable',
      'with --kind sandbox or mock: a service of your own that moves no real money, and whose data may be thrown away',
    )
    .option(
      '--allow-payments <amount>',
      'let a live service pay, at most this amount in one transfer',
      valid('allowPayments', (maxAmount) => ({ maxAmount })),
    )
    .option('--client-key <key>', 'or CLIENT_KEY in the environment')
    .option('--client-secret <secret>', 'or, better, CLIENT_SECRET in the environment')
    .option('--other-key <key>', 'of a second partner, or OTHER_KEY')
    .option('--other-secret <secret>', 'of a second partner, or, better, OTHER_SECRET')
    .option(
      '--receiver <url>',
      'where the service reaches this machine with deliveries; a local sandbox needs none',
      valid('receiverUrl', String),
    )
    .option(
      '--receiver-port <port>',
      'the port of this machine that --receiver leads to (default: the one in the URL)',
      valid('receiverPort', numberOf),
    )

    .optionsGroup('What is checked (--only lists,access-records --operation listWebhooks):')
    .option(
      '--only <names>',
      'only these rules, or all of a subject or plan; see --list-rules',
      selectedOf,
    )
    .option('--operation <ids>', 'report findings of these operations alone', listOf)
    .option('--spec <file>', 'a changed copy of the contract, bundled, JSON or YAML')
    .option(
      '--complete',
      'nobody else writes to the service: a change without a request is a finding (default: for a sandbox)',
    )
    .option('--list-rules', 'print the rules')

    .optionsGroup(
      'How it is checked (--time 10 --seed 7 --set checkKey/dict_key=beltrana@example.com):',
    )
    .option(
      '--set <operation/pointer=text>',
      'a value for requests, := for JSON, or how the service writes something (list/next=/cursor); can be repeated',
      valuesOf,
    )
    .option(
      '--signature <header: form>',
      'how it signs deliveries, such as "x-signature: sha256=hex" (default: the usual schemes are tried)',
      valid('signature', String),
    )
    .option(
      '--rate <number>',
      'requests per second at most (default: 10 for live, else unlimited)',
      valid('rate', numberOf),
    )
    .option(
      '--time <seconds>',
      'time for random cases (default: 1)',
      valid('timeMs', (it) => 1000 * numberOf(it)),
    )
    .option(
      '--seed <number>',
      'the same seed generates the same cases (default: 1)',
      valid('seed', numberOf),
    )

    .optionsGroup(
      'Recorded traffic (--har session.har --target http://127.0.0.1:4020, or --proxy http://127.0.0.1:4020 --port 4050):',
    )
    .option(
      '--har <file>',
      'judge a recording (HAR 1.2) of the service at --target, and send nothing',
    )
    .option('--proxy <url>', 'pass requests on to this service, and judge them until Ctrl-C')
    .option('--port <number>', 'listen for them on this port (default: a free one)', portOf)

    .optionsGroup(
      'What fails the run (--fail-on deviation --baseline known.yaml --min-coverage operations=100%):',
    )
    .addOption(
      new Option('--fail-on <level>', 'with all that is more severe')
        .choices(FAIL_ON)
        .default('failure'),
    )
    .option('--baseline <file>', 'known findings, which are accepted until their day')
    .option('--write-baseline <file>', 'write a baseline of what was found; needs --until')
    .option('--until <date>', 'the last day of --write-baseline, such as 2027-01-31')
    .option(
      '--min-coverage <percent>',
      `of everything, or by name: ${GATES.join(', ')}`,
      coverageOf,
    )

    .optionsGroup('The reports (--report html=check.html,junit=check.xml --verbose):')
    .option('--report <format=file>', `write reports: ${Object.keys(RENDERERS).join(', ')}`, listOf)
    .option('--docs <url>', 'address of the docs, to which reports link')
    .option('--json', 'print the result as JSON')
    .option('--verbose', 'print every finding and every rule, not one screen')
}

const KINDS = 'a live service pays nothing, and what is created there is removed (default: live)'

function endOf(name: string): string {
  return `
Examples:
  ${name} --target http://127.0.0.1:4020 --kind sandbox
  ${name} --target http://127.0.0.1:4020 --kind sandbox --only access --report html=check.html

A service that is signed in to elsewhere takes a token from TOKEN, and OTHER_TOKEN for a second partner, in the
environment. A sandbox on this machine needs no credentials. An option that would do nothing is refused.

Exit codes: ${EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join(', ')}.
A first Ctrl-C removes what the run created and prints what it found; a second ends at once.`
}

/** A parser whose value must be valid for an option of `check`. */
function valid<T>(option: keyof CheckOptions, read: (text: string) => T): (text: string) => T {
  return (text) => {
    const value = read(text)
    const [what, isValid] = CHECK_OPTIONS[option]
    if (!isValid(value)) throw new InvalidArgumentError(`It must be ${what}.`)
    return value
  }
}

function numberOf(text: string): number {
  return /^\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('It must be an integer from 0 to 65535.')
  return Number(text)
}

/**
 * Items between commas, of all repetitions. An empty list, as from an unset variable, would disable
 * a gate silently.
 */
function listOf(text: string, before: readonly string[] = []): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  const items = parts.filter((part) => part !== '')
  if (items.length === 0) throw new InvalidArgumentError('It needs at least one item.')
  return [...before, ...items]
}

/** Names of rules, subjects or plans. */
function selectedOf(text: string, before: readonly string[] = []): readonly string[] {
  const names = listOf(text)
  const allowed = new Set([...selectable(), requestsValid.id])
  const unknown = names.find((name) => !allowed.has(name))
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `"${unknown}" is neither a rule, a subject nor a plan; see --list-rules.`,
    )
  return [...before, ...names]
}

/** Parses `80%` for all kinds, or `operations=100%,rows=60%`. */
function coverageOf(
  text: string,
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const gate = new Map(before)
  for (const item of listOf(text)) {
    const [, name, digits = ''] = /^(?:([a-z]+)=)?(\d{1,3})%?$/.exec(item) ?? []
    const isPercentage = digits !== '' && Number(digits) <= 100
    const isKnown = name === undefined || GATES.includes(name)
    if (!isPercentage || !isKnown)
      throw new InvalidArgumentError('It must be like 80% or operations=100%,rows=60%.')
    const names = name === undefined ? GATES : [name]
    for (const each of names) gate.set(each, Number(digits))
  }
  return gate
}

type Values = NonNullable<CheckOptions['values']>

/** Parses `createTransfer/amount=0.02`. */
function valuesOf(text: string, before: Values = {}): Values {
  const [, operation = '', pointer = '', mark, value = ''] =
    /^([^/=]+)(\/[^=]*?)(:?=)(.*)$/s.exec(text) ?? []
  try {
    const read: unknown = mark === '=' ? value : JSON.parse(value)
    return { ...before, [operation]: { ...before[operation], [pointer]: read } }
  } catch {
    throw new InvalidArgumentError('It must be OPERATION/POINTER=TEXT or OPERATION/POINTER:=JSON.')
  }
}
