import { type Report, refuse } from './error.ts'
import { issueAt, issueMissing } from './issue.ts'
import { PIX } from './object-rules.ts'
import { type BrObject, type Level, readLevel, type Template } from './tlv.ts'

/**
 * The template of the account, any of 26 to 51: one belongs to Pix, others may to other
 * arrangements (EMVCo MPM, section 4).
 */
export function accountOf(level: Level, tolerate: Report): Template {
  const account = templateOfPix(level, 26, 51, tolerate)
  return account ?? refuse(issueAt({ id: '26' }, 'not-pix', `a template of ${PIX} in 26 to 51`))
}

/** The template of a recurrence, any of 80 to 99 (Manual de Padrões para Iniciação do Pix, 2.8). */
export function recurrenceOf(level: Level, tolerate: Report): Template | undefined {
  return templateOfPix(level, 80, 99, tolerate, hasLocation)
}

/** The template 62, which contains the txid. */
export function extraOf(level: Level): Template {
  const object = level.at[62] ?? refuse(issueMissing(62, 'a template with 05'))
  return readLevel(object.value, refuse, object)
}

type Counts = (template: Template, tolerate: Report) => boolean

/** The template of Pix in a range of ids. */
function templateOfPix(
  level: Level,
  first: number,
  last: number,
  tolerate: Report,
  counts: Counts = hasName,
) {
  let found: Template | undefined
  for (let id = first; id <= last && id < level.at.length; id++) {
    const object = level.at[id]
    if (!object) continue
    const parts = readParts(object, tolerate)
    if (!counts(parts, tolerate)) continue
    if (found) refuse(issueAt(object, 'duplicate', `no template of Pix after ${found.parent.id}`))
    found = parts
  }
  return found
}

function hasName({ at }: Template): boolean {
  return at[0]?.value.toLowerCase() === PIX
}

/**
 * Codes from before recurrences have other content there: an error today, which the lenient profile
 * ignores.
 */
function hasLocation(template: Template, tolerate: Report): boolean {
  if (!hasName(template)) return false
  if (template.at[25]) return true
  if (template.objects.length === 1 || tolerate === refuse)
    tolerate(issueMissing(25, 'the location of a recurrence', template.parent))
  return false
}

/**
 * An error in the template of another arrangement must not prevent a payment, so the lenient
 * profile only records it.
 */
function readParts(template: BrObject, tolerate: Report): Template {
  const report: Report = (issue) =>
    (template.value.toLowerCase().includes(PIX) ? refuse : tolerate)(issue)
  return readLevel(template.value, report, template)
}
