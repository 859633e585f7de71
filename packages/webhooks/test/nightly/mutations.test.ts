import { testMutations } from '../mutations.ts'

testMutations(60_000)
