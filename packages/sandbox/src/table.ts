import { type CommandTable, readEach, readInteger, readPort } from '@partner-payments/command'
import { declaredMaxWebhooks } from './behaviour.ts'
import { FILE, HOST, PORT, SETTLE_AFTER_MS } from './defaults.ts'

/** The options of the sandbox. */
export const SANDBOX = {
  about: 'Runs the partner payments service, stateful, on this machine.',
  options: {
    port: {
      value: 'number',
      help: 'listen on this port, 0 for a free one',
      read: readPort,
      default: PORT,
    },
    host: { value: 'host', help: 'listen on this address', default: HOST },
    file: {
      value: 'path',
      help: 'keep the state in this file',
      defaultInWords: FILE,
    },
    memory: { help: 'keep the state in memory only', excludes: ['file'] },
    'allow-host': {
      value: 'name',
      help: 'serve requests for this host, besides localhost and IP addresses; may be repeated',
      read: readEach,
    },
    'allow-origin': {
      value: 'url',
      help: 'let pages of this origin call the operations, besides localhost; may be repeated',
      read: readEach,
    },
    'no-control': { help: 'no page, and nothing under /_sandbox/ but health, ready and metrics' },
    'no-loopback': { help: 'deliver webhooks only by https, to public addresses' },
    'no-rate-limits': { help: 'never return 429' },
    'settle-after': {
      value: 'ms',
      help: 'settle transfers after this many milliseconds',
      read: readInteger(86_400_000),
      default: SETTLE_AFTER_MS,
    },
    'max-webhooks': {
      value: 'number',
      help: 'let a partner have at most this many webhooks',
      read: readInteger(100_000),
      default: declaredMaxWebhooks(),
    },
    'check-responses': { help: 'validate every response; an invalid one becomes a 500' },
    docs: {
      value: 'url',
      help: 'link the page, and the type of each error, to the docs at this base URL',
    },
    verbose: { help: 'log every request and delivery as a line of JSON, on stderr' },
  },
  examples: ['--memory', '--port 4021 --settle-after 2000'],
  notes: `DATABASE_URL=postgres://... keeps the state in that PostgreSQL, which several sandboxes may share. --file and --memory
override it.`,
  exitCodes:
    '0 stopped by a signal, 1 cannot start, 2 wrong arguments, an old Node, or output that cannot be written',
} as const satisfies CommandTable
