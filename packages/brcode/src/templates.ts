import { type IssueHandler, refuse } from './error.ts'
import { createIssue, createMissingIssue } from './issue.ts'
import { ACCOUNT_IDS, PIX, RECURRENCE_IDS } from './object-rules.ts'
import { type BrObject, type Level, readLevel, type Template } from './tlv.ts'

/**
 * The template of the account, any of 26 to 51: one belongs to Pix, others may to other
 * arrangements (EMVCo MPM, section 4).
 */
export function findAccount(level: Level, onTolerable: IssueHandler): Template {
  const account = findTemplateOfPix(level, ACCOUNT_IDS, onTolerable, isOfPix)
  return account ?? refuse(createIssue({ id: '26' }, 'not-pix', `a template of ${PIX} in 26 to 51`))
}

/** The template of a recurrence, any of 80 to 99 (Manual de Padrões para Iniciação do Pix, 2.8). */
export function findRecurrence(level: Level, onTolerable: IssueHandler): Template | undefined {
  return findTemplateOfPix(level, RECURRENCE_IDS, onTolerable, acceptRecurrence)
}

/**
 * The template 62, which contains the txid. Some issuers leave it out (EMVCo has it as optional),
 * which the lenient profile accepts.
 */
export function findExtra(level: Level, onTolerable: IssueHandler): Template | undefined {
  const object = level.at[62]
  if (object) return readLevel(object.value, refuse, object)

  onTolerable(createMissingIssue(62, 'a template with 05'))
  return undefined
}

/**
 * The one template of Pix in a range of ids; undefined if there is none. A template is an object
 * that contains objects. Refuses a second one.
 *
 * @param onTolerable Gets an issue that the lenient profile accepts; the strict one refuses it.
 * @param accept Returns whether a template is the one of Pix, or refuses it.
 */
function findTemplateOfPix(
  level: Level,
  ids: { readonly first: number; readonly last: number },
  onTolerable: IssueHandler,
  accept: (template: Template, onTolerable: IssueHandler) => boolean,
): Template | undefined {
  let found: Template | undefined
  for (let id = ids.first; id <= ids.last && id < level.at.length; id++) {
    const object = level.at[id]
    if (!object) continue

    const template = readTemplate(object, onTolerable)
    if (!accept(template, onTolerable)) continue

    if (found)
      refuse(createIssue(object, 'duplicate', `no template of Pix after ${found.parent.id}`))
    found = template
  }
  return found
}

function isOfPix({ at }: Template): boolean {
  return at[0]?.value.toLowerCase() === PIX
}

/**
 * Returns whether a template is a recurrence of Pix, which has a location (25). Refuses a template of
 * Pix without one. The lenient profile ignores it if it has other content, as in codes from before
 * recurrences.
 */
function acceptRecurrence(template: Template, onTolerable: IssueHandler): boolean {
  if (!isOfPix(template)) return false

  const hasLocation = template.at[25] !== undefined
  if (hasLocation) return true

  // The first object is the identifier of Pix.
  const hasOtherContent = template.objects.length > 1
  const isLenient = onTolerable !== refuse
  if (isLenient && hasOtherContent) return false

  return refuse(createMissingIssue(25, 'the location of a recurrence', template.parent))
}

/**
 * Reads the objects inside a template. An error in the template of another arrangement than Pix
 * must not prevent a payment, so the lenient profile only records it.
 */
function readTemplate(object: BrObject, onTolerable: IssueHandler): Template {
  const handleIssue: IssueHandler = (issue) => {
    if (namesPix(object)) refuse(issue)
    onTolerable(issue)
  }
  return readLevel(object.value, handleIssue, object)
}

/** Whether a template that cannot be read has the identifier of Pix somewhere. */
function namesPix({ value }: BrObject): boolean {
  return value.toLowerCase().includes(PIX)
}
