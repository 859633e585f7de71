/**
 * `pnpm answer` shows what follows from evidence for each open question, as a diff of spec/, and makes
 * the change with `--apply`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Arguments, type CommandTable, readList } from '@partner-payments/command'
import {
  type Answer,
  type Answered,
  answer,
  readEvidence,
  renameInText,
} from '@partner-payments/spec/answer'
import { readScriptArguments } from './arguments.ts'

const NEXT_STEPS =
  'Run `npx -y pnpm@12 build` and `npx -y pnpm@12 test`, then check the service again.'

const SPEC = fileURLToPath(new URL('../spec', import.meta.url))

/** The texts that name values and events, in the folder of the docs. */
const TEXTS = ['{guides,home,rules}/*.md', 'keywords.yaml']

const TABLE = {
  about: 'Shows what evidence of a real service changes in spec/, question by question.',
  operands: { usage: '<file...>', help: 'evidence of a run, a HAR or the proxy' },
  options: {
    only: { value: 'questions', help: 'only these open questions', read: readList },
    apply: { help: 'make the changes' },
    spec: { value: 'folder', help: 'the folder of the contract', defaultInWords: 'spec' },
  },
  examples: ['evidence.json', 'evidence.json --only paging,errors --apply'],
  notes: 'Write evidence with `npx -y pnpm@12 check --target URL --report evidence=FILE`.',
  exitCodes: '0 shown or changed, 2 wrong arguments, or evidence that cannot be used',
} as const satisfies CommandTable

const settings = readScriptArguments('answer', TABLE, toSettings)
process.exitCode = await main(settings).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  return 2
})

function toSettings({ values, operands }: Arguments<typeof TABLE.options>) {
  const { only, apply: isApplied = false, spec = SPEC } = values
  return { files: operands, only, isApplied, spec }
}

/** Prints the answers, makes the changes if asked to, and returns the exit code. */
async function main(settings: ReturnType<typeof toSettings>): Promise<number> {
  const { files, only, isApplied, spec } = settings
  const evidence = readEvidence(files)
  const { answers, changed, renamed } = await answer({ spec, evidence, only })
  process.stdout.write(`${answers.map(describeAnswer).join('\n')}\n`)

  if (isApplied) {
    for (const [name, text] of changed) writeFileSync(join(spec, name), text)
    renameInDocs(join(spec, '../docs'), renamed)
  }
  process.stderr.write(
    `${summarize(answers, evidence.kind)} ${nextStep(isApplied, changed.size)}\n`,
  )
  return 0
}

/** Renames values and events in the texts beside the contract, so that the docs build names them. */
function renameInDocs(docs: string, renamed: Answered['renamed']): void {
  for (const name of globSync(TEXTS, { cwd: docs })) {
    const file = join(docs, name)
    const text = readFileSync(file, 'utf8')
    const withNewNames = renameInText(text, renamed)
    if (withNewNames !== text) writeFileSync(file, withNewNames)
  }
}

/** An answer as text: its verdict, what was seen, what is missing or left, and the diff. */
function describeAnswer({
  question,
  verdict,
  isAnswered,
  says,
  missing,
  left,
  places,
  diff,
}: Answer): string {
  const result = isAnswered ? 'observed' : 'stays a question'
  const lines = [`${question}: ${verdict}, ${result}`]
  for (const sentence of says) lines.push(`  seen     ${sentence}`)
  for (const observation of missing) lines.push(`  missing  ${observation}`)
  for (const { rule, message, count } of left)
    lines.push(`  left     ${message} (${rule}, ${count})`)
  for (const place of places) lines.push(`  edit     ${place}`)
  if (diff !== '') lines.push(diff.trimEnd())
  return `${lines.join('\n')}\n`
}

function summarize(answers: readonly Answer[], kind: string): string {
  const observed = answers.filter(({ isAnswered }) => isAnswered).length
  const evidence =
    kind === 'run' ? 'a run' : `recorded traffic (${kind}), which shows no more than was sent`
  return `${observed} of ${answers.length} questions are answered by ${evidence}.`
}

function nextStep(isApplied: boolean, files: number): string {
  if (files === 0) return 'Nothing changes.'
  if (!isApplied) return `${files} files would change; make the changes with --apply.`
  return `${files} files changed. ${NEXT_STEPS}`
}
