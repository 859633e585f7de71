import { readFileSync } from 'node:fs'
import { type Contract, inline, isNode, mediaOf, type Operation, operationsOf } from './contract.ts'

/** A request as a reader would send it; Redoc shows one tab per sample. */
export type Sample = { lang: string; label: string; source: string }

/**
 * The samples of an operation of an inlined contract: curl and Python, made from an example, and TypeScript of
 * `samples.ts`, which the tests execute. Throws where there is none.
 */
export function samplesOf(operation: Operation): Sample[] {
  const source = programOf(operation.node.operationId)
  const body = requestExamples(operation).find(({ isSample }) => isSample)?.value
  return [curl(operation, body), { lang: 'TypeScript', label: 'TypeScript', source }, python(operation, body)]
}

/** A function of `samples.ts` as a program of its own. Reads the file each time, since a development server follows it. */
export function programOf(id: string): string {
  const file = readFileSync(new URL('../samples.ts', import.meta.url), 'utf8')
  const functions = [...file.matchAll(/^ {2}async (\w+)\(\) \{\n(.*?)^ {2}\},$/gms)]
  const body = functions.find(([, name]) => name === id)?.[2]?.replaceAll(/^ {4}/gm, '')
  if (!body) throw new Error(`docs/samples.ts has no ${id}`)
  const [create, name] = body.includes('payments.') ? ['createPayments', 'payments'] : ['createClient', 'api']
  return `import { ${create} } from '@partner-payments/client'

const { BASE_URL: baseUrl = 'http://127.0.0.1:4010' } = process.env
const { CLIENT_KEY: clientKey = '', CLIENT_SECRET: clientSecret = '' } = process.env
const ${name} = ${create}({ baseUrl, auth: { clientKey, clientSecret } })

${body}`
}

/** The example that the samples send, where it is not the first. */
const SENT: Readonly<Record<string, string>> = { createTransfer: 'payKey', guideCreateTransfer: 'payKey' }

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

/** The request of an operation in curl, with the example of that name, or the one that its samples send. */
export function curlOf(contract: Contract, id: string, example?: string): string {
  const operation = operationsOf(inline(contract)).find(({ node }) => node.operationId === id)
  if (!operation) throw new Error(`the contract has no operation "${id}"`)
  const examples = requestExamples(operation)
  const found = examples.find(({ name, isSample }) => (example ? name === example : isSample))
  if (example && !found) throw new Error(`${id} has no example "${example}"`)
  return curl(operation, found?.value).source
}

/** The examples of an inlined request or response. */
export function examplesIn(body: unknown) {
  return Object.entries(Object(mediaOf(body).examples)).map(([name, example]) => {
    const { summary, value } = example as { summary?: string; value: unknown }
    return { name, summary, value }
  })
}

/** Parameters that the samples send: the others depend on what is in a list. */
const QUERY = ['status', 'limit']

/** The path of an operation with the examples of its parameters. */
function pathOf({ path, item, node }: Operation): string {
  const parameters = [item.parameters, node.parameters].flat().filter(isNode)
  const examples = Object.fromEntries(parameters.map(({ name, example }) => [String(name), String(example)]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => examples[name] ?? '')
  const query = QUERY.flatMap((name) => (examples[name] ? [`${name}=${examples[name]}`] : [])).join('&')
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
  return { lang: 'Shell', label: 'curl', source: `${lines.join(' \\\n  ')}\n` }
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
  return { lang: 'Python', label: 'Python', source }
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
  return JSON.stringify(value, null, 4).replaceAll(/"(?:[^"\\]|\\.)*"|\b[a-z]+\b/g, (it) => words[it] ?? it)
}
