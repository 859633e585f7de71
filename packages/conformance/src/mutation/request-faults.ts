import type { Contract } from '../model/contract.ts'
import { below, nodeOf } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { ParameterView } from '../model/parameter-views.ts'
import type { MechanicalFault, RequestPlant } from './fault.ts'
import { KEYWORDS } from './invalid-values.ts'
import { type Site, sitesOf } from './schema-places.ts'

/** A fault for each keyword of requests that a service may not validate. */
export function requestFaults(contract: Contract): MechanicalFault[] {
  return contract.operations.flatMap((view) => [
    ...bodyFaults(contract, view),
    ...view.queryParameters.flatMap((it) => queryFaults(contract, view, it)),
  ])
}

function bodyFaults({ document }: Contract, view: OperationView): MechanicalFault[] {
  if (view.bodyPointer === undefined) return []
  const { pointer, node } = document.follow(below(view.pointer, 'requestBody'))
  const mediaType = { place: 'media-type', path: '', keyword: below(pointer, 'content') } as const
  const required = { place: 'body', path: '', keyword: below(pointer, 'required') } as const
  return [
    faultOf(view, mediaType, ['body-format'], 'content-type'),
    ...(node.required === true ? [faultOf(view, required, ['body-format', ...RULES], 'body required')] : []),
    ...sitesOf(document, view.bodyPointer).flatMap((site) => siteFaults(view, site, 'body')),
  ]
}

function queryFaults({ document }: Contract, view: OperationView, { name, pointer }: ParameterView) {
  const sites = sitesOf(document, below(pointer, 'schema'))
  return sites.flatMap((site) => siteFaults(view, { ...site, path: [name, ...site.path] }, 'query'))
}

/** The rules that report an accepted invalid variant. */
const RULES = ['break-refused']

function siteFaults(view: OperationView, site: Site, place: 'body' | 'query'): MechanicalFault[] {
  const path = site.path.map((it) => below('', it)).join('')
  const fault = (keyword: string, at = path) =>
    faultOf(view, { place, path: at, keyword }, RULES, `${at || '/'} ${keyword.split('/').at(-1)}`)
  const places = new Map(site.choices.flat().map((it) => [it.pointer, it]))
  return [...places.values()].flatMap(({ pointer, node }) => [
    ...[...KEYWORDS, 'type', 'oneOf', 'anyOf', 'minProperties', 'uniqueItems']
      .filter((it) => node[it] !== undefined)
      .map((it) => fault(below(pointer, it))),
    ...Object.keys(nodeOf(node.properties))
      .filter((it) => Array.isArray(node.required) && node.required.includes(it))
      .map((it) => fault(below(pointer, 'required'), `${path}${below('', it)}`)),
  ])
}

function faultOf(
  view: OperationView,
  plant: RequestPlant,
  rules: readonly string[],
  words: string,
): MechanicalFault {
  const { place, path, keyword } = plant
  return {
    id: `request:${view.id}:${place}:${path} ${keyword}`,
    kind: 'request',
    operation: view.id,
    contract: keyword,
    rules,
    describe: `does not validate ${words}`,
    plant,
  }
}
