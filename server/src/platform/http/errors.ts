import type { ProblemReply } from '@tara/contract/problems';
import { problems } from '@tara/contract/problems';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';

/** Version of the backend service's wire that the error shape carries. */
export const wireVersion = '1.9.5';

/** Tells whether an unexpected error means that the database or disk is not there for the moment. */
export type Translate = (error: unknown) => Problem | null;

function fromFastify(error: FastifyError): Problem | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('general_body_too_large', { cause: error });
  if (error.statusCode === 429) return new Problem('general_rate_limit_exceeded', { cause: error });
  if (error.statusCode === 503) return new Problem('general_unavailable', { retryAfter: 2, cause: error });
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem('general_argument_invalid', { fields: { body: error.message }, cause: error });
  }
  return null;
}

/** The one shape of an error answer. */
export function replyOf(problem: Problem, requestId: string): ProblemReply {
  return {
    message: problem.message,
    code: problem.code,
    type: problem.type,
    version: wireVersion,
    title: problems[problem.type].title,
    text:
      problem.text ??
      ('text' in problems[problem.type] ? (problems[problem.type] as { text: string }).text : undefined),
    fields: problem.fields,
    requestId,
  };
}

/** Answers every error in one shape; of an unexpected one only the request id is shown. */
export function answerErrors(app: FastifyInstance, translate: Translate): void {
  const send = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
    if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter);
    reply
      .code(problem.code)
      .type('application/json')
      .send(JSON.stringify(replyOf(problem, request.id)));
  };
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = error instanceof Problem ? error : (translate(error) ?? fromFastify(error));
    if (known) return send(known, request, reply);
    request.log.error({ reqId: request.id, err: error }, 'unexpected error');
    return send(new Problem('general_unknown'), request, reply);
  });
  app.setNotFoundHandler((request, reply) => send(new Problem('general_route_not_found'), request, reply));
}
