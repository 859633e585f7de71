import { type CommandTable, readEach, readPort } from '@partner-payments/command'
import { HOST, PORT } from './defaults.ts'

/** The options of the mock. */
export const MOCK = {
  about: 'Runs a stateless mock of the partner payments service.',
  options: {
    port: {
      value: 'number',
      help: 'listen on this port, 0 for a free one',
      read: readPort,
      default: PORT,
    },
    host: { value: 'host', help: 'listen on this address', default: HOST },
    dynamic: { help: 'generate responses from the schemas instead of the examples' },
    contract: {
      value: 'file',
      help: 'mock this bundled OpenAPI 3.1 document, in JSON, instead of the default; may be repeated to serve several documents together',
      read: readEach,
    },
    verbose: { help: 'log a line for every request, on stderr' },
  },
  examples: ['--port 4011 --verbose', '--dynamic'],
  exitCodes:
    '0 stopped by a signal, 1 cannot start, 2 wrong arguments, an old Node, or output that cannot be written',
} as const satisfies CommandTable
