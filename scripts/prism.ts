import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readScriptArguments } from './arguments.ts'

const ROOT = resolve(import.meta.dirname, '..')
const PRISM = join(ROOT, 'packages/mock/node_modules/@stoplight/prism-cli/dist/index.js')

const { command, flags } = readScriptArguments(
  'prism',
  {
    about: `Runs a command of Prism itself on the built contract, with any of its flags. It hangs on invalid JSON; our mock does not.`,
    operands: { usage: '<command...>', help: 'mock, or proxy and the URL of a service' },
    takesAnyOption: true,
    options: {
      port: { value: 'number', help: 'listen on this port', defaultInWords: '4010' },
      dynamic: { help: 'generate responses from the schemas instead of the examples' },
      errors: { help: 'refuse invalid requests and responses instead of only reporting them' },
    },
    examples: ['mock --dynamic', 'proxy http://127.0.0.1:4020 --port 4040 --errors'],
    exitCodes: '0 stopped, 1 cannot start, or a flag that Prism refuses, 2 neither mock nor proxy',
  },
  () => {
    const [command = '', ...flags] = process.argv.slice(2)
    if (command !== 'mock' && command !== 'proxy')
      throw new Error(`expected mock, or proxy and the URL of a service, got "${command}"`)
    return { command, flags }
  },
)
// Prism reads the arguments of the process. It does so here, so that signals need no one to pass
// them on.
process.argv.splice(1, Infinity, PRISM, command, join(ROOT, 'spec/dist/openapi.json'), ...flags)
await import(pathToFileURL(PRISM).href)
