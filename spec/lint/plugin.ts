/** The rules of this contract as a Redocly plugin. Each rule has a file of its name. */
import { aliasesAgree } from './rules/aliases-agree.ts'
import { assumptionsMarked } from './rules/assumptions-marked.ts'
import { described } from './rules/described.ts'
import { enumsApart } from './rules/enums-apart.ts'
import { factsAgree } from './rules/facts-agree.ts'
import { factsStatements } from './rules/facts-statements.ts'
import { openQuestions } from './rules/open-questions.ts'
import { operationComplete } from './rules/operation-complete.ts'
import { operationList } from './rules/operation-list.ts'

const rules = {
  'aliases-agree': aliasesAgree,
  'assumptions-marked': assumptionsMarked,
  described,
  'enums-apart': enumsApart,
  'facts-agree': factsAgree,
  'facts-statements': factsStatements,
  'open-questions': openQuestions,
  'operation-complete': operationComplete,
  'operation-list': operationList,
}

export default function plugin() {
  return { id: 'contract', rules: { oas3: rules } }
}
