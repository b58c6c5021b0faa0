import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  type ValidationRule,
  VariablesInAllowedPositionRule,
  validate
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { type CostLimits, createComplexityRule, type ListSizes, measureOperation } from './cost.ts'
import { tooMuch } from './errors.ts'
import type { ExecutionContext } from './execution-context.ts'
import { LenientVariablesRule } from './lenient-variables.ts'

export interface Protection extends CostLimits {
  tokens: number
}

/** Limits the length, depth, aliases and cost of documents before execution. */
export function createProtection(
  schema: GraphQLSchema,
  sizes: ListSizes,
  limits: Protection
): Plugin<{ execution: ExecutionContext }, { execution: ExecutionContext }> {
  const complexity = createComplexityRule(sizes, limits)
  const costs = new WeakMap<DocumentNode, Map<string | undefined | null, number>>()

  function costOf(document: DocumentNode, operationName: string | undefined | null): number {
    const known = costs.get(document) ?? new Map<string | undefined | null, number>()
    costs.set(document, known)
    const cost = known.get(operationName) ?? measure(document, operationName)
    known.set(operationName, cost)
    return cost
  }

  function measure(document: DocumentNode, operationName: string | undefined | null): number {
    const operation = getOperationAST(document, operationName)
    const fragment = (name: string) =>
      document.definitions.find(
        (one): one is FragmentDefinitionNode =>
          one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name
      )
    return operation ? measureOperation(operation, { schema, sizes, fragment }).cost : 0
  }

  return {
    onParse({ setParseFn }) {
      setParseFn((source, options) => parse(source, { ...options, maxTokens: limits.tokens }))
    },
    onValidate({ setValidationFn, addValidationRule }) {
      addValidationRule(complexity)
      setValidationFn((target, document, rules, ...rest) =>
        validate(target, document, rules?.map(soften), ...rest)
      )
    },
    /** The cost limit applies to all operations of a batch together. */
    onExecute({ args, setResultAndStopExecution }) {
      const { execution } = args.contextValue
      execution.cost += costOf(args.document, args.operationName)
      if (execution.cost <= limits.cost) return
      const error = tooMuch(
        `The queries of a batch may request at most ${limits.cost} fields together`
      )
      setResultAndStopExecution({ errors: [error] })
    }
  }
}

function soften(rule: ValidationRule): ValidationRule {
  return rule === VariablesInAllowedPositionRule ? LenientVariablesRule : rule
}
