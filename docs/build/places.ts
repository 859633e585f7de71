import { type Contract, eventsOf, isNode, type Operation, operationsOf, resolve } from './contract.ts'
import { aspectOf, type Mark, marksOf } from './marks.ts'

/** An assumption of the contract, and the operations that show it. */
export type Place = { label: string; aspect: string | undefined; isLink: boolean; operations: Operation[] }

/** Where the contract uses each question, by the id of the question. */
export function placesOf(contract: Contract): Map<string, Place[]> {
  const reaches = [...operationsOf(contract), ...eventsOf(contract)].map((operation) => ({
    operation,
    roots: reachOf(contract, operation),
  }))
  const places = Map.groupBy(marksOf(contract), (mark) => mark.question)
  return new Map(
    [...places].map(([id, marks]) => [id, marks.map((mark) => placeOf(contract, mark, reaches))]),
  )
}

type Reach = { operation: Operation; roots: Set<string> }

function placeOf(contract: Contract, mark: Mark, reaches: Reach[]): Place {
  const root = rootOf(mark.pointer)
  const operations = reaches.filter(({ roots }) => roots.has(root)).map(({ operation }) => operation)
  return {
    label: labelOf(contract, mark.pointer),
    aspect: aspectOf(mark),
    isLink: mark.pointer.includes('links'),
    operations,
  }
}

/** What an operation shows a reader: itself, and every component that its references lead to. */
function reachOf(contract: Contract, { path, method, node }: Operation): Set<string> {
  const home = contract.paths[path]?.[method] === node ? 'paths' : 'webhooks'
  const roots = new Set([`${home}/${path}`, `${home}/${path}/${method}`])
  const schemes = ((node.security ?? contract.security) as object[]).flatMap((choice) => Object.keys(choice))
  for (const scheme of schemes) roots.add(`components/securitySchemes/${scheme}`)
  follow(contract, [node, contract[home][path]?.parameters], roots)
  return roots
}

function follow(contract: Contract, value: unknown, roots: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  const ref = isNode(value) ? value.$ref : undefined
  if (typeof ref === 'string' && !roots.has(ref.slice(2))) {
    roots.add(ref.slice(2))
    follow(contract, resolve(contract, ref), roots)
  }
  for (const child of Object.values(value)) follow(contract, child, roots)
}

function rootOf([first = '', second = '', third]: string[]): string {
  return [first, second, ...(third ? [third] : [])].join('/')
}

const SYNTAX = new Set(['properties', 'items', 'schema', 'oneOf', 'anyOf', 'allOf', 'responses', 'links'])

function labelOf(contract: Contract, [home = '', name = '', ...rest]: string[]): string {
  const steps = rest.filter((step) => !SYNTAX.has(step) && !/^[0-9]$/.test(step))
  if (home === 'components') return steps.join('.')
  if (home === 'info') return 'the contract itself'
  if (home === 'webhooks') return [name, ...steps.slice(1)].join(' ')
  const operation = operationsOf(contract).find(({ path, method }) => path === name && method === rest[0])
  return [operation?.node.operationId ?? name, ...steps.slice(1)].join(' ')
}
