import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ProblemReply, problemNotice } from '@tara/contract/problems';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasCode } from '../error-code.ts';
import { Problem } from '../problem.ts';
import { isCall } from './route-path.ts';

/** Version of the backend service's wire that the error shape carries. */
export const wireVersion = '1.9.5';

/** Whether an unexpected error means that the database or disk is not available for the moment. */
export type Translate = (error: unknown) => Problem | null;

const invalid = (field: string, rule: string, cause: unknown) =>
  new Problem('general_argument_invalid', { fields: { [field]: rule }, cause });

function fromFastify(error: FastifyError): Problem | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Problem('general_body_too_large', { cause: error });
  if (error.code === 'FST_ERR_BAD_URL') return invalid('url', 'is not a valid address', error);
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return invalid('url', 'is too long', error);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return invalid('body', error.message, error);
  return null;
}

/** Errors of Node's parser for bytes that are not HTTP. */
function fromParser(error: Error & { code?: string }): Problem {
  if (error.code === 'HPE_HEADER_OVERFLOW') return new Problem('general_headers_too_large', { cause: error });
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('general_timeout', { cause: error });
  return invalid('request', 'is not valid HTTP', error);
}

/** The one shape of an error answer. */
export function problemReply(problem: Problem, requestId: string): ProblemReply {
  const { title, text } = problemNotice(problem.type);
  return {
    message: problem.message,
    code: problem.code,
    type: problem.type,
    version: wireVersion,
    status: 'error',
    title,
    text: problem.text ?? text,
    fields: problem.fields,
    requestId,
  };
}

interface ErrorRepliesOptions {
  translate: Translate;
  /** Headers of a reply that is data. */
  headers: Readonly<Record<string, string>>;
  newRequestId: () => string;
}

/** How errors are answered, in one shape wherever they arise; of an unexpected one only the request id is shown. */
export function errorReplies({ translate, headers, newRequestId }: ErrorRepliesOptions) {
  const send = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
    // A page that fails answers with data; a call has these headers already, and perhaps others of CORS.
    if (!isCall(request)) reply.headers(headers);
    if (problem.retryAfter !== undefined) reply.header('retry-after', problem.retryAfter);
    reply
      .code(problem.code)
      .type('application/json')
      .send(JSON.stringify(problemReply(problem, request.id)));
  };
  const answer = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof Problem) return send(error, request, reply);
    const passing = translate(error);
    if (passing) request.log.warn({ reqId: request.id, err: error }, 'not possible for the moment');
    const known = passing ?? fromFastify(error);
    if (known) return send(known, request, reply);
    request.log.error({ reqId: request.id, err: error }, 'unexpected error');
    return send(new Problem('general_unknown'), request, reply);
  };
  const rawReply = (problem: Problem) => {
    const body = JSON.stringify(problemReply(problem, newRequestId()));
    const length = String(Buffer.byteLength(body));
    return {
      body,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': length,
        connection: 'close',
      },
    };
  };
  /** `Expect` with anything but `100-continue`, which Node would answer without a body. */
  const refuseExpectation = (_request: IncomingMessage, response: ServerResponse) => {
    const problem = invalid('expect', 'is not a header that is understood', undefined);
    const { body, headers } = rawReply(problem);
    response.writeHead(problem.code, headers).end(body);
  };
  return {
    /** For errors that the framework meets before it has a route. */
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
      reply.headers(headers);
      answer(error, request, reply);
    },
    /** For requests that are not HTTP, and refused upgrades: replies on the socket itself and closes it. */
    refuseSocket: (error: Error, socket: Socket): void => {
      if (hasCode(error, 'ECONNRESET')) return;
      if (!socket.writable) return void socket.destroy();
      const problem = fromParser(error);
      const { body, headers } = rawReply(problem);
      const head = Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      socket.end(
        `HTTP/1.1 ${problem.code} ${problem.code === 400 ? 'Bad Request' : 'Refused'}\r\n${head}\r\n${body}`,
      );
      // One that keeps sending, or never reads, does not hold the socket.
      socket.destroySoon();
    },
    /** For all other errors, once the server is made. */
    install: (app: FastifyInstance): void => {
      app.setErrorHandler(answer);
      app.setNotFoundHandler((request, reply) =>
        send(new Problem('general_route_not_found'), request, reply),
      );
      app.server.on('checkExpectation', refuseExpectation);
    },
  };
}
