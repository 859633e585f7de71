import {
  type CommandTable,
  type Option,
  readList,
  readPort,
  type Values,
} from '@partner-payments/command'
import { CHECK_OPTIONS, type CheckOptions } from '../options.ts'
import { RENDERERS } from '../report/formats.ts'
import { FAIL_ON, GATES } from '../report/summary.ts'
import { readCoverage, readNumber, readSelection, readSetValue } from './values.ts'

/** What a run does: it checks a service, or judges traffic, or lists the rules. */
export type Mode = 'check' | 'har' | 'proxy' | 'list-rules'

/** An option of the checker. What depends on an option stands in its row. */
export interface CheckerOption extends Option {
  /** The modes in which it has an effect. In the others it is refused. */
  readonly modes: readonly Mode[]
  /** The option of `check` that it sets. */
  readonly sets?: keyof CheckOptions
  /** Whether the command that checks for a finding again has it. */
  readonly isKept?: true
  /** Whether the action has it as an input of its own. */
  readonly isInput?: true
}

const EVERY_RUN: readonly Mode[] = ['check', 'har', 'proxy']
const EVERY_MODE: readonly Mode[] = [...EVERY_RUN, 'list-rules']

export const EXIT_CODES = [
  [0, 'nothing that fails the run'],
  [1, 'findings that fail it, too little coverage, or few accepted requests'],
  [2, 'could not run, or not to its end'],
  [129, 'interrupted because its terminal was closed'],
  [130, 'interrupted by Ctrl-C'],
  [143, 'interrupted by SIGTERM'],
] as const

/** The options of the checker, in the order of its help. */
export const OPTIONS = {
  target: {
    group: 'The service (--target http://127.0.0.1:4020 --kind sandbox)',
    value: 'url',
    help: 'the base URL of the service',
    modes: ['check', 'har'],
    isKept: true,
    isInput: true,
  },
  kind: {
    value: 'kind',
    choices: ['mock', 'sandbox', 'live'],
    help: 'a live service pays nothing, and what is created there is removed',
    defaultInWords: 'live',
    modes: ['check'],
    sets: 'target',
    isKept: true,
    isInput: true,
  },
  'allow-remote-sandbox': {
    help: 'with --kind sandbox or mock: it may be on another machine, such as a service container with a name',
    modes: ['check'],
    sets: 'allowRemoteSandbox',
    isKept: true,
    isInput: true,
  },
  disposable: {
    help: 'with --kind sandbox or mock: a service of your own that moves no real money, and whose data may be thrown away',
    modes: ['check'],
    sets: 'isDisposable',
    isKept: true,
    isInput: true,
  },
  'allow-payments': {
    value: 'amount',
    help: 'let a live service pay, at most this amount in one transfer',
    read: (maxAmount: string) => expectValid('allowPayments', { maxAmount }),
    modes: ['check'],
    sets: 'allowPayments',
    isKept: true,
  },
  'client-key': {
    value: 'key',
    help: 'the client key',
    variable: 'CLIENT_KEY',
    modes: ['check'],
    isInput: true,
  },
  'client-secret': {
    value: 'secret',
    help: 'the client secret',
    variable: 'CLIENT_SECRET',
    modes: ['check'],
    isInput: true,
  },
  'other-key': {
    value: 'key',
    help: 'the client key of a second partner',
    variable: 'OTHER_KEY',
    modes: ['check'],
    isInput: true,
  },
  'other-secret': {
    value: 'secret',
    help: 'the client secret of a second partner',
    variable: 'OTHER_SECRET',
    modes: ['check'],
    isInput: true,
  },
  receiver: {
    value: 'url',
    help: 'where the service reaches this machine with deliveries; a local sandbox needs none',
    read: (url: string) => expectValid('receiverUrl', url),
    modes: ['check'],
    sets: 'receiverUrl',
    isKept: true,
  },
  'receiver-port': {
    value: 'port',
    help: 'the port of this machine that --receiver leads to',
    defaultInWords: 'the one in the URL',
    read: (text: string) => expectValid('receiverPort', readNumber(text)),
    modes: ['check'],
    sets: 'receiverPort',
    isKept: true,
  },

  only: {
    group: 'What is checked (--only lists,access-records --operation listWebhooks)',
    value: 'names',
    help: 'only these rules, or all of a subject or plan, separated by commas; see --list-rules',
    read: readSelection,
    modes: ['check', 'har'],
    sets: 'only',
    isInput: true,
  },
  operation: {
    value: 'ids',
    help: 'report findings of these operations alone',
    read: readList,
    modes: ['check', 'har'],
    sets: 'operations',
  },
  spec: {
    value: 'file',
    help: 'a changed copy of the contract, bundled, JSON or YAML',
    modes: EVERY_RUN,
    isKept: true,
  },
  complete: {
    help: 'nobody else writes to the service: a change without a request is a finding',
    defaultInWords: 'for a sandbox',
    modes: EVERY_RUN,
    sets: 'isComplete',
    isKept: true,
  },
  'list-rules': { help: 'print the rules', modes: ['list-rules'] },

  set: {
    group: 'How it is checked (--time 10 --seed 7 --set checkKey/dict_key=beltrana@example.com)',
    value: 'operation/pointer=text',
    help: 'a value for requests, := for JSON, or how the service writes something (list/next=/cursor, list/next=link); can be repeated',
    read: readSetValue,
    modes: ['check'],
    sets: 'values',
    isKept: true,
  },
  signature: {
    value: 'header: form',
    help: 'how it signs deliveries, such as "x-signature: sha256=hex"',
    defaultInWords: 'the usual schemes are tried',
    read: (text: string) => expectValid('signature', text),
    modes: ['check'],
    sets: 'signature',
    isKept: true,
  },
  rate: {
    value: 'number',
    help: 'requests per second at most',
    defaultInWords: '10 for live, else unlimited',
    read: (text: string) => expectValid('rate', readNumber(text)),
    modes: ['check'],
    sets: 'rate',
  },
  time: {
    value: 'seconds',
    help: 'time for random cases',
    defaultInWords: '20',
    read: (text: string) => expectValid('timeMs', 1000 * readNumber(text)),
    modes: ['check'],
    sets: 'timeMs',
  },
  seed: {
    value: 'number',
    help: 'the same seed generates the same cases',
    defaultInWords: '1',
    read: (text: string) => expectValid('seed', readNumber(text)),
    modes: ['check'],
    sets: 'seed',
    isKept: true,
  },

  har: {
    group:
      'Recorded traffic (--har session.har --target http://127.0.0.1:4020, or --proxy http://127.0.0.1:4020 --port 4050)',
    value: 'file',
    help: 'judge a recording (HAR 1.2) of the service at --target, and send nothing',
    modes: ['har'],
    isKept: true,
  },
  proxy: {
    value: 'url',
    help: 'pass requests on to this service, and judge them until Ctrl-C',
    modes: ['proxy'],
  },
  port: {
    value: 'number',
    help: 'with --proxy: listen on this port',
    defaultInWords: 'a free one',
    read: readPort,
    modes: ['proxy'],
  },

  'fail-on': {
    group:
      'What fails the run (--fail-on deviation --baseline known.yaml --min-coverage operations=100%)',
    value: 'level',
    choices: FAIL_ON,
    default: 'failure',
    help: 'what fails the run, with all that is more severe',
    modes: EVERY_RUN,
    isInput: true,
  },
  baseline: {
    value: 'file',
    help: 'known findings, which are accepted until their day',
    modes: EVERY_RUN,
    isInput: true,
  },
  'write-baseline': {
    value: 'file',
    help: 'write a baseline of what was found; needs --until',
    modes: EVERY_RUN,
  },
  until: {
    value: 'date',
    help: 'the last day of --write-baseline, such as 2027-01-31',
    modes: EVERY_RUN,
  },
  'min-coverage': {
    value: 'percent',
    help: `fail if less is covered: of everything, or by name (${GATES.join(', ')})`,
    read: readCoverage,
    modes: EVERY_RUN,
  },

  report: {
    group: 'The reports (--report html=check.html,junit=check.xml --verbose)',
    value: 'format=file',
    help: `write reports: ${Object.keys(RENDERERS).join(', ')}`,
    read: readList,
    modes: EVERY_RUN,
  },
  docs: { value: 'url', help: 'the address of the docs, to which reports link', modes: EVERY_RUN },
  json: { help: 'print the result as JSON', modes: EVERY_MODE },
  verbose: { help: 'print every finding and every rule, not one screen', modes: EVERY_RUN },
} as const satisfies Readonly<Record<string, CheckerOption>>

/** The parsed options, by their names in camel case. */
export type Flags = Values<typeof OPTIONS>

export const CHECK = {
  about: 'Checks whether a running service conforms to the contract, or judges recorded traffic.',
  options: OPTIONS,
  examples: [
    '--target http://127.0.0.1:4020 --kind sandbox',
    '--target http://127.0.0.1:4020 --kind sandbox --only access --report html=check.html',
  ],
  notes: `A service that is signed in to elsewhere takes a token from TOKEN, and OTHER_TOKEN for a second partner, in the
environment. A sandbox on this machine needs no credentials. An option that would do nothing is refused.
A first Ctrl-C removes what the run created and prints what it found; a second ends at once.`,
  exitCodes: EXIT_CODES.map(([code, meaning]) => `${code} ${meaning}`).join(', '),
} as const satisfies CommandTable

/** Returns a value, if it is valid for an option of `check`. */
function expectValid<Value>(option: keyof CheckOptions, value: Value): Value {
  const [what, isValid] = CHECK_OPTIONS[option]
  if (isValid(value)) return value
  throw new Error(`It must be ${what}.`)
}
