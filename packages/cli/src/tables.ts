import { type CommandTable, readEach, readPort, type Values } from '@partner-payments/command'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

const EXIT_CODES =
  '0 done, 1 failed, 2 wrong arguments, an old Node, or output that cannot be written'

/** The options of commands that call a service. */
const TARGET = {
  target: {
    value: 'url',
    help: 'the service',
    variable: 'TARGET',
    default: 'http://127.0.0.1:4020',
  },
  'client-key': { value: 'key', help: 'the client key', variable: 'CLIENT_KEY' },
  'client-secret': { value: 'secret', help: 'the client secret', variable: 'CLIENT_SECRET' },
} as const

/** The options of commands that pay, which take only a sandbox. */
const SANDBOX = {
  ...TARGET,
  'allow-remote-sandbox': {
    help: 'take a sandbox that is not on this machine (localhost, 127.0.0.0/8 or ::1)',
  },
} as const

const JSON_LINES = {
  json: { help: 'print one line of JSON for each event' },
} as const

export type TargetFlags = Values<typeof TARGET>
export type SandboxFlags = Values<typeof SANDBOX>

export const LISTEN = {
  about: 'Registers a webhook, prints each delivery, and forwards it.',
  options: {
    forward: {
      value: 'url',
      help: 'forward the bytes of each delivery to this URL, and respond with its status',
    },
    url: {
      value: 'url',
      help: 'the public URL of this machine to register, if the service cannot reach it directly',
    },
    port: {
      value: 'number',
      help: 'listen on this port, 0 for a free one',
      read: readPort,
      default: 0,
    },
    type: {
      value: 'type',
      help: 'events to receive',
      choices: ['all', 'transfer', 'qrcode'],
      default: 'all',
    },
    'show-secret': { help: 'print the secret of the webhook' },
    ...TARGET,
    ...JSON_LINES,
  },
  examples: ['', '--type transfer --forward http://127.0.0.1:3000/hooks'],
  exitCodes: EXIT_CODES,
} as const satisfies CommandTable

/** The names of the events of the contract. */
export const EVENT_NAMES: readonly string[] = Object.keys(contract.webhooks)

export const TRIGGER = {
  about: 'Makes an event happen in the sandbox.',
  operands: { usage: '<event>', help: EVENT_NAMES.join(', ') },
  options: {
    set: {
      value: 'field=value',
      help: 'set a field of the request; may be repeated',
      read: readEach,
    },
    ...SANDBOX,
    ...JSON_LINES,
  },
  examples: ['transfer.settled --set amount=12.50', 'qrcode.paid --json'],
  exitCodes: EXIT_CODES,
} as const satisfies CommandTable

export const MCP = {
  about: 'Serves the docs, the contract and a sandbox to an agent, over stdio.',
  options: SANDBOX,
  examples: ['', '--target http://127.0.0.1:4020'],
  exitCodes: EXIT_CODES,
} as const satisfies CommandTable

/** A static payment code, for the examples. */
const CODE =
  '00020126420014br.gov.bcb.pix0120beltrana@example.com520400005303986540512.505802BR5908Beltrana6008Brasilia62070503***630454A9'

export const DECODE = {
  about: 'Decodes a payment code (BR Code) and draws it.',
  operands: {
    usage: '[code...]',
    help: 'the code, in quotes; without it, or with -, it is read from stdin',
  },
  options: {
    lenient: { help: 'accept the deviations that banks are known to issue, and list them' },
    'no-qr': { help: 'do not draw the QR code' },
    json: { help: 'print JSON' },
  },
  examples: [`'${CODE}'`, `--json '${CODE}'`],
  exitCodes: EXIT_CODES,
} as const satisfies CommandTable
