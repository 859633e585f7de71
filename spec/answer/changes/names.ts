import { placesOf, seenAt } from '../evidence.ts'
import {
  type Change,
  type Context,
  counted,
  placeBelow,
  requireSource,
  wholeWord,
} from './change.ts'

/** Headers and events with another name. */
export function nameChanges(context: Context): Change[] {
  const places = placesOf(context.shown, 'name')
  return [
    ...places.filter((at) => at.startsWith('/components/parameters/')).flatMap(header),
    ...places.filter((at) => at.startsWith('behaviour#/events/')).flatMap(event),
  ]

  function onlyName(at: string): string | undefined {
    const [name, ...others] = Object.keys(seenAt(context.shown, at, 'name'))
    return others.length === 0 ? name : undefined
  }

  function header(at: string): Change[] {
    const name = onlyName(at)
    if (name === undefined) return []
    return [
      {
        says: `The header is ${counted(seenAt(context.shown, at, 'name'))}.`,
        explains: ({ rule }) => rule.startsWith('deliveries-'),
        apply: () => context.files.set(placeBelow(requireSource(context, at), 'name'), name),
      },
    ]
  }

  function event(at: string): Change[] {
    const name = onlyName(at)
    const old = at.slice(at.lastIndexOf('/') + 1)
    if (name === undefined) return []
    return [
      {
        says: `The event ${old} is named ${counted(seenAt(context.shown, at, 'name'))}.`,
        renamed: { [old]: name },
        explains: ({ message }) => message.includes(old) || message.includes(name),
        apply: () => renameEverywhere(context, old, name),
      },
    ]
  }
}

/** The files that may name an event. Facts are those of the source document. */
const FOLDERS = ['behaviour', 'paths', 'schemas', 'examples', 'workflows']

/** The name of an event is a word of its own: a name with a dot. */
function renameEverywhere({ files }: Context, old: string, name: string): void {
  const whole = wholeWord(old)
  const all = [
    'openapi.yaml',
    'parameters.yaml',
    'responses.yaml',
    ...FOLDERS.flatMap((folder) => files.folder(folder)),
  ]
  for (const file of all) {
    // The deepest first, since a renamed key changes the places below it.
    for (const { place, value, isKey } of files.scalars(file).toReversed()) {
      if (typeof value !== 'string' || value.search(whole) === -1) continue
      if (isKey) files.rename(place, value.replaceAll(whole, name))
      else files.replaceWords(place, whole, name)
    }
  }
}
