import { leavesOf, listFirstLeaves } from '../contract/json.ts'

/** So many texts of a refusal are read. */
const MAX_TEXTS = 100
/** The characters of a text of a refusal that are read. */
const MAX_TEXT_LENGTH = 500

/**
 * Lists the fields of a sent body that a refusal names, as pointers: `['/amount/fine/modality']` for
 * `{ errors: [{ at: 'amount.fine.modality' }] }`. A refusal may also name a field that is missing in one of the objects.
 */
export function findNamedFields(sentBody: unknown, refusal: unknown): string[] {
  const sentPointers = listPointers(sentBody)
  const named = new Set<string>()
  for (const name of listNames(refusal)) {
    const pointer = findPointer(name, sentPointers)
    if (pointer !== undefined) named.add(pointer)
  }
  // Of `amount` and `amount.fine`, the second one says more.
  const pointers = [...named]
  return pointers.filter((pointer) => !pointers.some((other) => other.startsWith(`${pointer}/`)))
}

/** The pointers of all fields of a body, also of those with fields of their own: `/amount`, `/amount/fine`, … */
function listPointers(body: unknown): ReadonlySet<string> {
  const pointers = new Set<string>()
  for (const [leaf] of leavesOf(body, '', () => true)) {
    const steps = leaf.split('/').slice(1)
    for (let length = 1; length <= steps.length; length++)
      pointers.add(`/${steps.slice(0, length).join('/')}`)
  }
  return pointers
}

/** Lists what may be the name of a field in a refusal: each text as a whole, and its words that cannot be plain ones. */
function listNames(refusal: unknown): string[] {
  const texts = listFirstLeaves(refusal, MAX_TEXTS, (leaf) => typeof leaf === 'string')
  return texts.flatMap(([, leaf]) => {
    const text = String(leaf).slice(0, MAX_TEXT_LENGTH)
    const words = text.split(/[^\w./#$[\]]+/).map(withoutFullStop)
    return [text, ...words.filter((word) => /[_./]/.test(word))]
  })
}

/** A word without the full stop that ends its sentence. */
function withoutFullStop(word: string): string {
  return word.endsWith('.') ? word.slice(0, -1) : word
}

/** Finds the field that a name means: `/amount/original`, `#/amount/original`, `amount.original`, or `original` alone. */
function findPointer(name: string, sentPointers: ReadonlySet<string>): string | undefined {
  const path = name.replace(/^[#$]/, '').replaceAll(/\[(\d+)\]/g, '/$1')
  const pointer = `/${path.replace(/^[./]/, '').replaceAll('.', '/')}`
  if (sentPointers.has(pointer)) return pointer

  // A field that is missing in an object that was sent.
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  const isPath = /^(\/\w+)+$/.test(pointer)
  if (isPath && sentPointers.has(parent)) return pointer

  // The name alone means a field only if no other one has that name.
  const sameName = [...sentPointers].filter((sent) => sent.endsWith(`/${name}`))
  return sameName.length === 1 ? sameName[0] : undefined
}
