import type { Behaviour } from '@partner-payments/spec/behaviour'
import {
  type Contract,
  inline,
  type Operation,
  operationsOf,
  parameterExamples,
  QUERY,
} from './contract.ts'
import { curlCommand } from './curl.ts'
import { withRelativeDates } from './example-dates.ts'
import { writeProgram } from './programs.ts'

/** A request as a reader would send it; Redoc shows one tab per sample. */
export type Sample = { lang: string; source: string }

/**
 * The samples of an operation, which send one of its examples: a curl command, a program in
 * TypeScript, and one in Python.
 */
export function createSamples(operation: Operation): Sample[] {
  const body = findBody(operation, undefined)
  return [
    createCurlSample(operation, body),
    createTypescriptSample(operation, body),
    createPythonSample(operation, body),
  ]
}

/** The example that the samples send, where it is not the first. */
const SENT_EXAMPLES: Readonly<Record<string, string>> = {
  createTransfer: 'payKey',
  guideCreateTransfer: 'payKey',
}

/**
 * The examples of the request of an operation, each with samples that send it. `isSample` is true for
 * the one that the samples of pages (`createSamples`) send.
 */
export function requestExamples(operation: Operation) {
  const examples = operation.request?.examples ?? []
  const nameOfSentExample = SENT_EXAMPLES[operation.id] ?? examples[0]?.name
  return examples.map((example) => ({
    ...example,
    samples: [
      createCurlSample(operation, example.value),
      createPythonSample(operation, example.value),
    ],
    isSample: example.name === nameOfSentExample,
  }))
}

/** What samples are made from. */
export interface SampleSources {
  readonly contract: Contract
  readonly behaviour: Behaviour
}

/**
 * The sample of an operation, with the example of that name, or the one that its samples send.
 *
 * @param kind `curl` or `typescript`
 */
export function findSample(
  { contract, behaviour }: SampleSources,
  kind: string,
  id: string,
  exampleName?: string,
): string {
  const operations = operationsOf(inline(contract), behaviour)
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`the contract has no operation "${id}"`)

  const body = findBody(operation, exampleName)
  if (kind === 'curl') return createCurlSample(operation, body).source
  return createTypescriptSample(operation, body).source
}

/** The body of the example with a name, or of the one that the samples send; undefined for none. */
function findBody(operation: Operation, exampleName: string | undefined): unknown {
  const examples = requestExamples(operation)
  if (exampleName === undefined) return examples.find(({ isSample }) => isSample)?.value

  const example = examples.find(({ name }) => name === exampleName)
  if (!example) throw new Error(`${operation.id} has no example "${exampleName}"`)
  return example.value
}

/** The path of an operation with examples of its parameters: `/users/u1`, `/codes?status=ATIVA`. */
function fillPath(operation: Operation): string {
  const examples = parameterExamples(operation)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => examples[name] ?? '')
  const names = QUERY.filter((name) => examples[name])
  if (names.length === 0) return path

  const query = names.map((name) => `${name}=${examples[name]}`).join('&')
  return `${path}?${query}`
}

function isSignIn({ scheme }: Operation): boolean {
  return scheme === 'basic'
}

/** The sample of an operation as a command of curl. */
function createCurlSample(operation: Operation, body: unknown): Sample {
  const command = curlCommand({
    method: operation.method,
    target: fillPath(operation),
    isSignIn: isSignIn(operation),
    body: body === undefined ? undefined : JSON.stringify(body, null, 2),
  })
  return { lang: 'curl', source: withRelativeDates('curl', command) }
}

function createTypescriptSample(operation: Operation, body: unknown): Sample {
  const source = withRelativeDates('TypeScript', writeProgram(operation, body))
  return { lang: 'TypeScript', source }
}

/** The sample of an operation as a program in Python. Like curl, it sends no request again. */
function createPythonSample(operation: Operation, body: unknown): Sample {
  const variables = isSignIn(operation) ? [CLIENT_KEY, CLIENT_SECRET] : [ACCESS_TOKEN]
  const warning = operation.effect === 'once' ? [WARNING] : []
  const callArguments = listPythonArguments(operation, body)
  const lines = [
    'import os',
    'import sys',
    '',
    'import httpx',
    '',
    'base_url = os.environ.get("BASE_URL", "http://127.0.0.1:4010")',
    ...variables,
    ...warning,
    'response = httpx.request(',
    ...callArguments.map((argument) => `    ${argument.replaceAll('\n', '\n    ')},`),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ]
  const program = `${lines.join('\n')}\n`
  return { lang: 'Python', source: withRelativeDates('Python', program) }
}

/** The arguments of `httpx.request` as expressions. */
function listPythonArguments(operation: Operation, body: unknown): string[] {
  const credentials = isSignIn(operation)
    ? 'auth=(client_key, client_secret)'
    : 'headers={"authorization": f"Bearer {access_token}"}'
  const list = [`"${operation.method}"`, `base_url + "${fillPath(operation)}"`, credentials]
  if (body) list.push(`json=${writePython(body)}`)
  return list
}

const WARNING = '# If no response comes, the request may have succeeded: do not send it again.'

const CLIENT_KEY = readVariable('client_key', 'Run: export CLIENT_KEY=partner')
const CLIENT_SECRET = readVariable('client_secret', 'Run: export CLIENT_SECRET=secret')
const ACCESS_TOKEN = readVariable(
  'access_token',
  'Sign in, then run: export ACCESS_TOKEN=<access_token>',
)

/** A variable of a Python program with the value of the environment; `hint` says how to set it. */
function readVariable(name: string, hint: string): string {
  const upper = name.toUpperCase()
  return `${name} = os.environ.get("${upper}") or sys.exit(\n    "${upper} is not set. ${hint}"\n)`
}

/** A value of JSON in Python, which differs in three words. */
function writePython(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
  const stringOrWord = /"(?:[^"\\]|\\.)*"|\b[a-z]+\b/g
  return JSON.stringify(value, null, 4).replaceAll(stringOrWord, (token) => words[token] ?? token)
}
