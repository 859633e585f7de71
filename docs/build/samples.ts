import {
  type Contract,
  inline,
  mediaOf,
  type Operation,
  operationsOf,
  parameterExamples,
  QUERY,
} from './contract.ts'
import { programOf } from './programs.ts'

/** A request as a reader would send it; Redoc shows one tab per sample. */
export type Sample = { lang: string; source: string }

/**
 * The samples of an operation of an inlined contract: curl, TypeScript and Python, which send one
 * of its examples.
 */
export function samplesOf(operation: Operation): Sample[] {
  const body = requestExamples(operation).find(({ isSample }) => isSample)?.value
  const typescript = { lang: 'TypeScript', source: programOf(operation, body) }
  return [curl(operation, body), typescript, python(operation, body)]
}

/** The example that the samples send, where it is not the first. */
const SENT: Readonly<Record<string, string>> = {
  createTransfer: 'payKey',
  guideCreateTransfer: 'payKey',
}

/** The examples of an inlined operation's request; `isSample` says which one the samples send. */
export function requestExamples(operation: Operation) {
  const all = examplesIn(operation.node.requestBody)
  const sent = SENT[operation.node.operationId] ?? all[0]?.name
  return all.map((it) => ({
    ...it,
    samples: [curl(operation, it.value), python(operation, it.value)],
    isSample: it.name === sent,
  }))
}

/**
 * The sample of an operation in curl or TypeScript, with the example of that name, or the one that
 * its samples send.
 */
export function sampleOf(contract: Contract, kind: string, id: string, example?: string): string {
  const operation = operationsOf(inline(contract)).find(({ node }) => node.operationId === id)
  if (!operation) throw new Error(`the contract has no operation "${id}"`)
  const examples = requestExamples(operation)
  const found = examples.find(({ name, isSample }) => (example ? name === example : isSample))
  if (example && !found) throw new Error(`${id} has no example "${example}"`)
  return kind === 'curl' ? curl(operation, found?.value).source : programOf(operation, found?.value)
}

/** The examples of an inlined request or response. */
export function examplesIn(body: unknown) {
  return Object.entries(Object(mediaOf(body).examples)).map(([name, example]) => {
    const { summary, value } = example as { summary?: string; value: unknown }
    return { name, summary, value }
  })
}

/** The path of an operation with the examples of its parameters. */
function pathOf(operation: Operation): string {
  const examples = parameterExamples(operation)
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => examples[name] ?? '')
  const query = QUERY.flatMap((name) => (examples[name] ? [`${name}=${examples[name]}`] : [])).join(
    '&',
  )
  return query ? `${filled}?${query}` : filled
}

function isSignIn({ node }: Operation): boolean {
  return node.operationId === 'signIn'
}

function curl(operation: Operation, body: unknown): Sample {
  const method = operation.method.toUpperCase()
  const json = JSON.stringify(body, null, 2)?.replaceAll('\n', '\n  ').replaceAll("'", "'\\''")
  const lines = [
    `curl ${method === (json ? 'POST' : 'GET') ? '' : `--request ${method} `}"$BASE_URL${pathOf(operation)}"`,
    isSignIn(operation)
      ? '--user "$CLIENT_KEY:$CLIENT_SECRET"'
      : '--header "authorization: Bearer $ACCESS_TOKEN"',
    ...(json ? ["--header 'content-type: application/json'", `--data '${json}'`] : []),
  ]
  return { lang: 'curl', source: `${lines.join(' \\\n  ')}\n` }
}

/** Like curl, it sends no request again. */
function python(operation: Operation, body: unknown): Sample {
  const variables = isSignIn(operation) ? ['client_key', 'client_secret'] : ['access_token']
  const auth = isSignIn(operation)
    ? 'auth=(client_key, client_secret)'
    : 'headers={"authorization": f"Bearer {access_token}"}'
  const warning = '# If no response comes, the request may have succeeded: do not send it again.\n'
  const source = `import os
import sys

import httpx

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:4010")
${variables.map(variable).join('\n')}
${operation.node['x-effect'] === 'once' ? warning : ''}response = httpx.request(
    "${operation.method.toUpperCase()}",
    base_url + "${pathOf(operation)}",
    ${auth},
${body ? `    json=${literal(body).replaceAll('\n', '\n    ')},\n` : ''})
response.raise_for_status()
print(response.text)
`
  return { lang: 'Python', source }
}

function variable(name: string): string {
  const upper = name.toUpperCase()
  const hint =
    name === 'access_token'
      ? `Sign in, then run: export ${upper}=<${name}>`
      : `Run: export ${upper}=${name === 'client_key' ? 'partner' : 'secret'}`
  return `${name} = os.environ.get("${upper}") or sys.exit(\n    "${upper} is not set. ${hint}"\n)`
}

/** JSON is Python but for three words. */
function literal(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b[a-z]+\b/g,
    (it) => words[it] ?? it,
  )
}
