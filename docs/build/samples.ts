import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { mediaOf, type Operation } from './contract.ts'

/** A request as a reader would send it; Redoc shows one tab per sample. */
export type Sample = { lang: string; label: string; source: string }

/** The samples of every operation: two files, which the tests execute, and Python, made from curl. Throws where a file is missing. */
export async function readSamples(operations: Operation[]): Promise<Map<string, Sample[]>> {
  const entries = operations.map(async (operation): Promise<[string, Sample[]]> => {
    const { node } = operation
    const read = (extension: string) =>
      readFile(new URL(`../samples/${node.operationId}.${extension}`, import.meta.url), 'utf8')
    const curl = await read('sh')
    const typescript = { lang: 'TypeScript', label: 'TypeScript', source: await read('ts') }
    return [node.operationId, [shell(curl), typescript, python(curl, operation)]]
  })
  return new Map(await Promise.all(entries))
}

/** The body that a sample in curl sends, undefined where it sends none. */
const BODY = /(--data ')(.*)(')/s

/** The examples of an inlined operation's request; `isSample` says which one the samples send. */
export function requestExamples(operation: Operation, samples: readonly Sample[]) {
  const curl = samples.find(({ lang }) => lang === 'Shell')?.source ?? ''
  const [, , sent = 'null'] = BODY.exec(curl) ?? []
  return examplesIn(operation.node.requestBody).map(({ name, summary, value }) => {
    const body = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")
    const source = curl.replace(BODY, (_, before, __, after) => before + body + after)
    const isSample = isDeepStrictEqual(value, JSON.parse(sent))
    return { name, summary, samples: [shell(source), python(source, operation)], isSample }
  })
}

/** The examples of an inlined request or response. */
export function examplesIn(body: unknown) {
  return Object.entries(Object(mediaOf(body).examples)).map(([name, example]) => {
    const { summary, value } = example as { summary?: string; value: unknown }
    return { name, summary, value }
  })
}

function shell(source: string): Sample {
  return { lang: 'Shell', label: 'curl', source }
}

/** The request of a sample in curl, in Python. Neither sends a request again. */
function python(curl: string, { method, node }: Operation): Sample {
  const [, path = ''] = /"\$BASE_URL([^"]*)"/.exec(curl) ?? []
  const body = BODY.exec(curl)?.[2]?.replaceAll("'\\''", "'")
  const isSignIn = curl.includes('--user')
  const variables = isSignIn ? ['client_key', 'client_secret'] : ['access_token']
  const auth = isSignIn
    ? 'auth=(client_key, client_secret)'
    : 'headers={"authorization": f"Bearer {access_token}"}'
  const warning = '# If no response comes, the request may have succeeded: do not send it again.\n'
  const source = `import os
import sys

import httpx

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:4010")
${variables.map(variable).join('\n')}
${node['x-effect'] === 'once' ? warning : ''}response = httpx.request(
    "${method.toUpperCase()}",
    base_url + "${path}",
    ${auth},
${body ? `    json=${literal(JSON.parse(body)).replaceAll('\n', '\n    ')},\n` : ''})
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
