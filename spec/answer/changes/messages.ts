import { fieldsOf, pointerOf, valueAt } from '@partner-payments/contract'
import { isNode } from '../../lint/marks.ts'
import { placesOf, seenAt } from '../evidence.ts'
import { type Change, type Context, counted, nodeAt, placeBelow, requireSource } from './change.ts'

/** Media types and headers of responses that are others than the contract says. */
export function messageChanges(context: Context): Change[] {
  return [...mediaTypeChanges(context), ...headerChanges(context)]
}

function mediaTypeChanges(context: Context): Change[] {
  const { shown, contract, files } = context
  return placesOf(shown, 'media-type').flatMap((at): Change[] => {
    const declared = Object.keys(nodeAt(contract, at))
    const seen = seenAt(shown, at, 'media-type')
    const [type, ...others] = Object.keys(seen)
    const isOther = type !== undefined && others.length === 0 && !declared.includes(type)
    const [old] = declared
    if (!isOther || old === undefined) return []
    return [
      {
        says: `The media type is ${counted(seen)}.`,
        explains: ({ rule, message }) =>
          rule === 'responses-media-type' || (rule === 'http-problems' && message.includes(old)),
        apply: () => files.rename(placeBelow(requireSource(context, at), old), type),
      },
    ]
  })
}

/** Responses of one kind share a declared header; where one of them lacks it, all may. */
function headerChanges(context: Context): Change[] {
  const { shown, contract, files } = context
  const places = placesOf(shown, 'presence').filter((at) => /\/headers\/[^/]+$/.test(at))
  const byHeader = Map.groupBy(places, (at) => at.slice(at.lastIndexOf('/') + 1))
  return [...byHeader].flatMap(([name, all]): Change[] => {
    const absent = all.filter((at) => seenAt(shown, at, 'presence').absent !== undefined)
    if (absent.length === 0) return []
    return [
      {
        says: `The header ${name} may be missing.`,
        explains: ({ rule, message }) =>
          (rule === 'responses-headers' || rule.startsWith('http-')) && message.includes(name),
        apply() {
          for (const at of absent) {
            const { $ref } = nodeAt(contract, at)
            const header = requireSource(context, typeof $ref === 'string' ? $ref.slice(1) : at)
            if (files.value(placeBelow(header, 'required')) === true)
              files.set(placeBelow(header, 'required'), false)
          }
        },
      },
    ]
  })
}

/** Error codes that come with another status than the contract says. */
export function statusChanges(context: Context): Change[] {
  const { shown, behaviour } = context
  const places = placesOf(shown, 'status').filter((at) => at.startsWith('behaviour#/refusals/'))
  return places.flatMap((at): Change[] => {
    const code = at.slice(at.lastIndexOf('/') + 1)
    const seen = seenAt(shown, at, 'status')
    const [status, ...others] = Object.keys(seen)
    const responses = [valueAt(behaviour, `/refusals/${code}/responses`) ?? []]
      .flat()
      .filter(isNode)
    const declared = responses.map((response) => String(response.status))
    const isMoved = status !== undefined && others.length === 0 && !declared.includes(status)
    if (!isMoved || declared.length !== 1) return []
    return [
      {
        says: `${code} comes with the status ${counted(seen)}.`,
        explains: ({ message }) => new RegExp(`\\b(${code}|${declared[0]})\\b`).test(message),
        apply: () => moveRefusal(context, code, String(declared[0]), status),
      },
    ]
  })
}

/** Moves the responses of a code to another status, at each operation that has them. */
function moveRefusal(context: Context, code: string, from: string, to: string): void {
  const { contract, files } = context
  for (const [path, item] of Object.entries(nodeAt(contract, '/paths'))) {
    if (!isNode(item)) continue
    for (const [method, operation] of Object.entries(item)) {
      const responses = isNode(operation) ? operation.responses : undefined
      if (!isNode(responses) || !hasCode(context, responses[from], code)) continue
      const at = `${pointerOf('/paths', path)}/${method}/responses`
      moveRow(context, { at, responses, code, from, to })
    }
  }
  for (const pointer of examplesOf(context, code)) {
    const place = files.placeOf(`${pointer}/value`)
    if (!place) continue
    if (files.has(placeBelow(place, 'status'))) files.set(placeBelow(place, 'status'), Number(to))
    if (files.has(placeBelow(place, 'title')))
      files.set(placeBelow(place, 'title'), titleOf(context, to))
  }
}

interface Row {
  readonly at: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly code: string
  readonly from: string
  readonly to: string
}

/** A status has one response: where it has one already, that gets the example of the code. */
function moveRow(context: Context, { at, responses, code, from, to }: Row): void {
  const { files } = context
  const place = requireSource(context, `${at}/${from}`)
  const old = refOf(responses[from])
  const taken = refOf(responses[to])
  const isOnlyCode = Object.values(examplesIn(context, old)).every(
    (ref) => codeOf(context, ref) === code,
  )
  if (taken === undefined) {
    if (isOnlyCode) files.rename(place, to)
    return
  }
  for (const [name, ref] of Object.entries(examplesIn(context, old))) {
    if (codeOf(context, ref) !== code) continue
    const media = placeBelow(requireSource(context, taken), 'content')
    const [type = ''] = files.keys(media)
    const examples = placeBelow(media, type, 'examples')
    const oldMedia = requireSource(context, `${old}/content`)
    // The media type of one response may have changed, and that of the other not.
    const [oldType = ''] = files.keys(oldMedia)
    const oldExample = placeBelow(oldMedia, oldType, 'examples', name)
    const file = files.value(placeBelow(oldExample, '$ref'))
    if (file !== undefined && !files.has(placeBelow(examples, name)))
      files.add(examples, name, { $ref: file })
    if (!isOnlyCode && files.has(oldExample)) files.remove(oldExample)
  }
  if (!isOnlyCode || !files.has(place)) return
  files.remove(place)
  if (old !== undefined) removeUnused(context, old)
}

/** A response that no operation has any more leaves the contract, which refuses unused parts. */
function removeUnused({ files }: Context, response: string): void {
  const name = response.slice(response.lastIndexOf('/') + 1)
  const refs = files.folder('paths').flatMap((file) => files.scalars(file))
  const isUsed = refs.some(({ value }) => String(value).endsWith(`#/${name}`))
  const place = files.placeOf(response)
  if (!isUsed && place && files.has(place)) files.remove(place)
}

function hasCode(context: Context, response: unknown, code: string): boolean {
  const refs = Object.values(examplesIn(context, refOf(response)))
  return refs.some((ref) => codeOf(context, ref) === code)
}

function refOf(response: unknown): string | undefined {
  const ref = isNode(response) ? response.$ref : undefined
  return typeof ref === 'string' ? ref.slice(1) : undefined
}

/** The examples of a response: their pointers by name. */
function examplesIn({ contract }: Context, response: string | undefined): Record<string, string> {
  if (response === undefined) return {}
  const [media] = Object.values(nodeAt(contract, `${response}/content`))
  const { examples } = fieldsOf(media)
  const pointers: Record<string, string> = {}
  for (const [name, example] of Object.entries(fieldsOf(examples)))
    if (isNode(example)) pointers[name] = String(example.$ref ?? '#').slice(1)
  return pointers
}

function codeOf({ contract }: Context, example: string): unknown {
  return valueAt(contract, `${example}/value/code`)
}

function examplesOf(context: Context, code: string): string[] {
  const all = Object.keys(nodeAt(context.contract, '/components/examples'))
  const pointers = all.map((name) => `/components/examples/${name}`)
  return pointers.filter((pointer) => codeOf(context, pointer) === code)
}

/** The title of the first example with a status, since titles name statuses. */
function titleOf({ contract }: Context, status: string): string {
  for (const example of Object.values(nodeAt(contract, '/components/examples'))) {
    const value = fieldsOf(fieldsOf(example).value)
    if (value.status === Number(status) && typeof value.title === 'string') return value.title
  }
  return `Status ${status}`
}
