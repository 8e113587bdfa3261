/**
 * The plan blob that a copy kernel reads ({@link io.fluxon.ipc.plan.PlanBlob}, contract PLAN-1) and the client's
 * allocator of them within its range of the plan arena ({@link io.fluxon.ipc.plan.PlanArena}).
 */
package io.fluxon.ipc.plan;
