import type { Contract } from '../model/contract.ts'
import { below, nodeOf } from '../model/document.ts'
import type { OperationView } from '../model/operation-view.ts'
import type { MechanicalFault, ResponsePlant } from './fault.ts'
import { invalidValue, isAllowedType, KEYWORDS, otherType } from './invalid-values.ts'
import { atPath, type Edit, withHeader, withoutHeader, withText } from './response-edits.ts'
import { type Site, sitesOf } from './schema-places.ts'

/** A fault before it has its operation and kind. */
interface Draft {
  readonly id: string
  readonly contract: string
  readonly rules: readonly string[]
  readonly describe: string
  readonly change: ResponsePlant['change']
}

const SCHEMA = ['response-schema']

/** A fault for each way in which a response can differ from the contract. */
export function responseFaults(contract: Contract): MechanicalFault[] {
  return contract.operations.flatMap((view) =>
    view.statuses.flatMap((status) =>
      draftsOf(contract, view, status).map(({ id, change, ...it }) => ({
        ...it,
        id: `response:${view.id}:${status}:${id}`,
        kind: 'response' as const,
        operation: view.id,
        plant: { status, change },
      })),
    ),
  )
}

function draftsOf({ document }: Contract, view: OperationView, status: string): Draft[] {
  const response = document.follow(below(view.pointer, 'responses', status))
  const types = Object.keys(nodeOf(response.node.content))
  const bodies = types
    .filter((it) => /json/.test(it))
    .flatMap((type) => bodyDrafts(document, below(response.pointer, 'content', type, 'schema')))
  return [
    statusDraft(view, status),
    ...headerDrafts(document, response.pointer),
    ...(types.length > 0 ? rawBodyDrafts(response.pointer) : [addedBodyDraft(response.pointer)]),
    ...bodies,
  ]
}

function statusDraft({ pointer, statuses }: OperationView, status: string): Draft {
  const others = status.startsWith('2') ? [200, 201, 202, 203] : [418, 420]
  const other = others.find((it) => !statuses.includes(String(it))) ?? 299
  return {
    id: `status=${other}`,
    contract: below(pointer, 'responses'),
    rules: ['response-status-declared'],
    describe: `returns ${other} instead of ${status}`,
    change: (response) => ({ ...response, status: other }),
  }
}

function headerDrafts(document: Contract['document'], pointer: string): Draft[] {
  const names = Object.keys(nodeOf(document.follow(pointer).node.headers))
  return names.flatMap((name) => {
    const header = document.follow(below(pointer, 'headers', name))
    const key = name.toLowerCase()
    const rules = ['response-headers', ...(HEADER_RULES[key] ?? [])]
    const dropped: Draft = {
      id: `header ${key} dropped`,
      contract: below(header.pointer, 'required'),
      rules,
      describe: `leaves out ${key}`,
      change: (response) => withoutHeader(response, key),
    }
    const failed = brokenHeader(document, header.pointer, key, rules)
    return [...(header.node.required === true ? [dropped] : []), ...failed]
  })
}

/** Rules about single headers. */
const HEADER_RULES: Readonly<Record<string, readonly string[]>> = {
  'www-authenticate': ['www-authenticate'],
  allow: ['allow-on-405'],
}

function brokenHeader(
  document: Contract['document'],
  pointer: string,
  key: string,
  rules: readonly string[],
): Draft[] {
  return sitesOf(document, below(pointer, 'schema')).flatMap(({ choices }) =>
    choices.flat().flatMap(({ pointer: at, node }) =>
      KEYWORDS.filter((it) => node[it] !== undefined).map(
        (keyword): Draft => ({
          id: `header ${key} ${keyword}`,
          contract: below(at, keyword),
          rules,
          describe: `sends ${key} with ${keyword} broken`,
          change: (response) => {
            const value = invalidValue(choices, keyword, node[keyword], response.headers[key])
            return typeof value === 'string' ? withHeader(response, key, value) : undefined
          },
        }),
      ),
    ),
  )
}

function rawBodyDrafts(pointer: string): Draft[] {
  const media = ['response-media-type', 'problem-details']
  const contract = below(pointer, 'content')
  return [
    {
      id: 'content-type=text/html',
      contract,
      rules: media,
      describe: 'labels JSON as HTML',
      change: (it) => withHeader(it, 'content-type', 'text/html'),
    },
    {
      id: 'content-type dropped',
      contract,
      rules: media,
      describe: 'leaves out content-type',
      change: (it) => withoutHeader(it, 'content-type'),
    },
    {
      id: 'body truncated',
      contract,
      rules: ['valid-json'],
      describe: 'sends half of the body',
      change: (it) => (it.text.length > 1 ? withText(it, it.text.slice(0, it.text.length >> 1)) : undefined),
    },
    {
      id: 'body emptied',
      contract,
      rules: [...SCHEMA, 'response-media-type', 'problem-details'],
      describe: 'sends no body',
      change: (it) => (it.text === '' ? undefined : withText(it, '')),
    },
  ]
}

function addedBodyDraft(pointer: string): Draft {
  return {
    id: 'body added',
    contract: pointer,
    rules: ['no-content-is-empty'],
    describe: 'sends an unexpected body',
    change: (response) =>
      withText({ ...response, headers: { ...response.headers, 'content-type': 'application/json' } }, '{}'),
  }
}

function bodyDrafts(document: Contract['document'], pointer: string): Draft[] {
  return [wrappedDraft(pointer), ...sitesOf(document, pointer).flatMap(siteDrafts)]
}

function wrappedDraft(pointer: string): Draft {
  const rules = [...SCHEMA, 'undeclared-fields']
  const change = atPath([], (now) => ({ value: { result: now } }))
  return { id: 'nested', contract: pointer, rules, describe: 'puts the body inside another object', change }
}

function siteDrafts(site: Site): Draft[] {
  const name = `/${site.path.join('/')}`
  const draft = (id: string, edit: Edit, more: Partial<Draft> = {}): Draft => ({
    id: `${name} ${id}`,
    contract: site.pointer,
    rules: SCHEMA,
    describe: `${name} is ${id}`,
    change: atPath(site.path, edit),
    ...more,
  })
  const other = otherType(site.choices)
  const drafts = [
    ...(site.required === undefined ? [] : [draft('dropped', () => 'remove', { contract: site.required })]),
    ...(site.choices.some((it) => isAllowedType(it, null)) ? [] : [draft('null', () => ({ value: null }))]),
    ...(other === undefined ? [] : [draft('retyped', () => ({ value: other }))]),
    ...keywordDrafts(site, draft),
  ]
  return isOpenObject(site)
    ? [...drafts, draft('with an undeclared property', addProperty, UNDECLARED)]
    : drafts
}

const UNDECLARED = { rules: ['undeclared-fields'] }

function addProperty(now: unknown): ReturnType<Edit> {
  const isObject = typeof now === 'object' && now !== null && !Array.isArray(now)
  return isObject ? { value: { ...now, undeclared_property: 'x' } } : undefined
}

/** Whether an undeclared property of the object would be reported. */
function isOpenObject({ choices }: Site): boolean {
  const parts = choices.flat().map(({ node }) => node)
  return (
    parts.some(({ properties }) => properties !== undefined) &&
    parts.every(
      (it) =>
        it.additionalProperties === undefined &&
        it.patternProperties === undefined &&
        it.maxProperties === undefined,
    )
  )
}

function keywordDrafts(
  { choices }: Site,
  draft: (id: string, edit: Edit, more: Partial<Draft>) => Draft,
): Draft[] {
  const places = new Map(choices.flat().map((it) => [it.pointer, it]))
  return [...places.values()].flatMap(({ pointer, node }) =>
    KEYWORDS.filter((it) => node[it] !== undefined).map((keyword) =>
      draft(
        `${keyword} broken${places.size > 1 ? ` (${pointer})` : ''}`,
        (now) => {
          const value = invalidValue(choices, keyword, node[keyword], now)
          return value === undefined ? undefined : { value }
        },
        { contract: below(pointer, keyword) },
      ),
    ),
  )
}
