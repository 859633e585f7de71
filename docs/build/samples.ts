import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Contract, isNode, type Node, type Operation, resolve } from './contract.ts'

/** A request as a reader would send it; Redoc shows one tab per sample. */
export type Sample = { lang: string; label: string; source: string }

const KINDS = [
  { extension: 'sh', lang: 'Shell', label: 'curl' },
  { extension: 'ts', lang: 'TypeScript', label: 'TypeScript' },
]

/** The samples of every operation, read from files that the tests execute. Throws where one is missing. */
export async function readSamples(operations: Operation[]): Promise<Map<string, Sample[]>> {
  const entries = operations.map(async ({ node: { operationId } }) => {
    const samples = KINDS.map(async ({ extension, lang, label }) => {
      const file = new URL(`../samples/${operationId}.${extension}`, import.meta.url)
      return { lang, label, source: await readFile(file, 'utf8') }
    })
    return [operationId, await Promise.all(samples)] as const
  })
  return new Map(await Promise.all(entries))
}

/** The body that a sample in curl sends, undefined where it sends none. */
const BODY = /(--data ')(.*)(')/s

/** The examples of an operation's request; `isSample` says which one the samples send. */
export function requestExamples(
  { node }: Pick<Operation, 'node'>,
  contract: Contract,
  samples: readonly Sample[],
) {
  const curl = samples.find(({ lang }) => lang === 'Shell')?.source ?? ''
  const [, , sent = 'null'] = BODY.exec(curl) ?? []
  return Object.entries(jsonOf(node)?.examples ?? {}).map(([name, reference]) => {
    const example =
      isNode(reference) && reference.$ref ? resolve(contract, String(reference.$ref)) : reference
    const { summary, value } = example as { summary?: string; value: unknown }
    const body = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")
    const source = curl.replace(BODY, (_, before, __, after) => before + body + after)
    return { name, summary, source, isSample: isDeepStrictEqual(value, JSON.parse(sent)) }
  })
}

/** The JSON body of an operation. */
export function jsonOf({ requestBody }: Node): { examples?: Node } | undefined {
  const content = isNode(requestBody) && isNode(requestBody.content) ? requestBody.content : {}
  return content['application/json'] as { examples?: Node } | undefined
}
