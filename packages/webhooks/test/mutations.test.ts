import { testMutations } from './mutations.ts'

testMutations(3_000)
