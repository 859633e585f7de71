import { pointerOf } from '@partner-payments/contract'
import { isNode, type Node } from '../../lint/marks.ts'
import { type Finding, placesOf, seenAt } from '../evidence.ts'
import {
  type Change,
  type Context,
  changeExamples,
  counted,
  isAbout,
  nodeAt,
  placeBelow,
  requireSource,
} from './change.ts'

/** Fields that were required and absent, that are null, or that the contract does not declare. */
export function fieldChanges(context: Context): Change[] {
  const presence = placesOf(context.shown, 'presence').filter((at) => at.includes('/properties/'))
  return [
    ...presence.flatMap((at) => absenceChange(context, at)),
    ...presence.flatMap((at) => nullChange(context, at)),
    ...placesOf(context.shown, 'undeclared')
      .filter((at) => at.endsWith('/properties'))
      .flatMap((at) => additionChange(context, at)),
  ]
}

/** The object of a field, and its name. */
function holderOf(at: string): { readonly holder: string; readonly name: string } {
  const [, holder = '', name = ''] = /^(.*)\/properties\/([^/]+)$/.exec(at) ?? []
  return { holder, name }
}

function requiredOf(contract: Node, holder: string): string[] {
  return [nodeAt(contract, holder).required ?? []].flat().map(String)
}

function absenceChange(context: Context, at: string): Change[] {
  const { shown, contract, files } = context
  const { absent = 0, present = 0 } = seenAt(shown, at, 'presence')
  const { holder, name } = holderOf(at)
  // A constant tells the alternatives of a schema apart, which nothing else does.
  if ('const' in nodeAt(contract, at)) return []
  const required = requiredOf(contract, holder)
  const isRequired = (finding: Finding) =>
    isAbout(finding, `${holder}/required`) && finding.message.includes(name)
  // A body of another media type was not compared with its schema.
  const wasCompared = !shown.findings.some(({ rule }) => rule === 'responses-media-type')
  const isBroken = shown.findings.some(isRequired) || !wasCompared
  if (absent === 0 || !required.includes(name) || !isBroken) return []

  const isNever = present === 0
  return [
    {
      says: isNever ? `${name} is never there.` : `${name} may be left out.`,
      explains: isRequired,
      apply() {
        const object = requireSource(context, holder)
        const others = requiredOf(contract, holder).filter((it) => it !== name)
        const current = files.value(placeBelow(object, 'required'))
        const left = [current ?? others].flat().filter((it) => it !== name)
        if (left.length > 0) files.set(placeBelow(object, 'required'), left)
        else files.remove(placeBelow(object, 'required'))
        const isRemoved = isNever && !isNeeded(context, holder, name)
        if (isRemoved) removeField(context, holder, name)
      },
    },
  ]
}

/**
 * Whether spec/behaviour says something of a field: by a pointer to it, or by the names of refusals
 * that its examples have. Such a field only becomes optional.
 */
function isNeeded({ files, examples, behaviour }: Context, holder: string, name: string): boolean {
  const scalars = files.folder('behaviour').flatMap((file) => files.scalars(file))
  const isNamed = scalars.some(({ value }) => String(value).endsWith(`/${name}`))
  const refusals = isNode(behaviour.refusals) ? behaviour.refusals : {}
  const values = [...(examples.get(holder) ?? [])].map(([, example]) =>
    isNode(example) ? example[name] : undefined,
  )
  return isNamed || values.some((value) => String(value) in refusals)
}

/** A field that was never there leaves the schema, and the examples of it. */
function removeField(context: Context, holder: string, name: string): void {
  const { files, examples } = context
  files.remove(placeBelow(requireSource(context, holder), 'properties', name))
  for (const pointer of examples.get(holder)?.keys() ?? []) {
    const place = files.placeOf(pointerOf(pointer, name))
    if (place && files.has(place)) files.remove(place)
  }
}

function nullChange(context: Context, at: string): Change[] {
  const { shown, contract, files } = context
  const { null: nulls = 0 } = seenAt(shown, at, 'presence')
  const { type } = nodeAt(contract, at)
  if (nulls === 0 || typeof type !== 'string' || type === 'null') return []
  return [
    {
      says: `${holderOf(at).name} may be null.`,
      explains: (finding) => isAbout(finding, `${at}/type`),
      apply: () => files.set(placeBelow(requireSource(context, at), 'type'), [type, 'null']),
    },
  ]
}

function additionChange(context: Context, at: string): Change[] {
  const { shown, contract, files } = context
  const holder = at.slice(0, -'/properties'.length)
  const declared = nodeAt(contract, at)
  const typesByName = Map.groupBy(Object.entries(seenAt(shown, at, 'undeclared')), ([word]) =>
    word.slice(0, word.lastIndexOf(': ')),
  )
  const added = [...typesByName].filter(
    ([name]) => /^[A-Za-z]\w*$/.test(name) && !(name in declared),
  )
  return added.map(([name, entries]) => {
    const types = entries.map(([word]) => word.slice(word.lastIndexOf(': ') + 2))
    const count = entries.reduce((sum, [, times]) => sum + times, 0)
    return {
      says: `${name} (${types.join(' or ')}) is shown (${count} times).`,
      explains: () => false,
      apply() {
        const object = requireSource(context, holder)
        files.add(placeBelow(object, 'properties'), name, {
          type: types.length === 1 ? types[0] : types,
          description: 'Seen on the service. What it means is not known.',
        })
        addToExamples(context, holder, name, types[0])
      },
    }
  })
}

/** An example of a field that was added has the text of one that was removed, if there is one. */
function addToExamples(
  { files, examples, contract }: Context,
  holder: string,
  name: string,
  type: string | undefined,
): void {
  if (type !== 'string') return
  const { properties } = nodeAt(contract, holder)
  for (const [pointer, example] of examples.get(holder) ?? []) {
    const place = files.placeOf(pointer)
    if (!place || files.keys(place).length === 0 || !isNode(example)) continue
    // It may have fields of another example, and may be one of several lists.
    const current = files.value(place)
    if (!isNode(current) || name in current) continue
    const removed = Object.keys(properties ?? {}).find((field) => {
      const isGone = field in example && !(field in current)
      return isGone && typeof example[field] === 'string' && /\s/.test(String(example[field]))
    })
    if (removed !== undefined) files.add(place, name, example[removed])
  }
}

/** Values of another type than the contract says. */
export function typeChanges(context: Context): Change[] {
  return placesOf(context.shown, 'type').flatMap((at) => typeChange(context, at))
}

function typeChange(context: Context, at: string): Change[] {
  const { shown, contract, files } = context
  const target = targetOf(contract, at)
  const isBroken = shown.findings.some((finding) => isAbout(finding, `${target}/type`))
  const seen = seenAt(shown, at, 'type')
  const declared = [nodeAt(contract, target).type ?? []].flat().map(String)
  const other = Object.keys(seen).filter((type) => !declared.includes(type))
  if (!isBroken || other.length === 0) return []

  const types = widest(Object.keys(seen))
  return [
    {
      says: `${at.split('/').at(-1)} is of the type ${counted(seen)}.`,
      explains: (finding) => isAbout(finding, `${target}/type`),
      apply() {
        const place = requireSource(context, at)
        const type = types.length === 1 ? types[0] : types
        if (target === at) files.set(placeBelow(place, 'type'), type)
        else {
          files.set(placeBelow(place, '$ref'), type)
          files.rename(placeBelow(place, '$ref'), 'type')
        }
        for (const keyword of ['pattern', 'format'])
          if (files.has(placeBelow(place, keyword))) files.remove(placeBelow(place, keyword))
        if (types.includes('number') || types.includes('integer'))
          changeExamples(context, at, numberIn)
      },
    },
  ]
}

/** The schema that a place refers to; the place itself if it refers to none. */
function targetOf(contract: Node, at: string): string {
  const { $ref } = nodeAt(contract, at)
  return typeof $ref === 'string' ? targetOf(contract, $ref.slice(1)) : at
}

/** A number may be an integer too. */
function widest(types: readonly string[]): string[] {
  const hasNumber = types.includes('number')
  return types.filter((type) => type !== 'integer' || !hasNumber)
}

function numberIn(value: unknown): unknown {
  const isNumeric = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
  return isNumeric ? Number(value) : undefined
}
