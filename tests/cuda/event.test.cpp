// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/event.hpp>
#include "fakes/cudart/fixture.hpp"

#include <set>
#include <type_traits>

namespace ge = gpuenv;
namespace cuda = gpuenv::cuda;

namespace {

template <class A, class B>
concept subtractable = requires(const A& a, const B& b) {
  a - b;
};

static_assert(subtractable<cuda::timed_event, cuda::timed_event>);
static_assert(!subtractable<cuda::event, cuda::event>, "an event without timing has no time");
static_assert(!subtractable<cuda::timed_event, cuda::event> && !subtractable<cuda::event, cuda::timed_event>);
static_assert(!std::is_copy_constructible_v<cuda::event> && !std::is_copy_assignable_v<cuda::event>);
static_assert(std::is_nothrow_move_constructible_v<cuda::event> && std::is_nothrow_move_assignable_v<cuda::event>);
static_assert(std::is_nothrow_move_constructible_v<cuda::timed_event>);
static_assert(std::is_nothrow_destructible_v<cuda::event>);

}  // namespace

TEST_CASE_METHOD(on_fake_gpus, "the time between two events is the time of the work between them", "[cuda][event]") {
  cuda::stream stream{cuda::device_ref{0}};
  cuda::timed_event start{cuda::device_ref{0}};
  cuda::timed_event stop{cuda::device_ref{0}};
  fake::launch(stream.get(), 100);
  start.record(stream);
  fake::launch(stream.get(), 2.5F);
  stop.record(stream);
  stop.synchronize();
  CHECK((stop - start).count() == 2.5F);
}

TEST_CASE_METHOD(on_fake_gpus, "four mistakes of event timing have four different errors", "[cuda][event][B70]") {
  const cuda::device_ref here{0};
  const cuda::device_ref there{1};
  cuda::stream stream{here};
  cuda::stream other{there};
  cuda::timed_event never{here};
  cuda::timed_event start{here};
  cuda::timed_event stop{here};
  cuda::timed_event elsewhere{there};
  start.record(stream);
  elsewhere.record(other);
  stream.synchronize();
  other.synchronize();

  const auto start_never = error_of([&] { static_cast<void>(start - never); });
  CHECK(start_never.code() == ge::errc::invalid_argument);
  CHECK(contains(start_never.attempted(), "start event was never recorded"));
  const auto stop_never = error_of([&] { static_cast<void>(never - start); });
  CHECK(stop_never.code() == ge::errc::invalid_argument);
  CHECK(contains(stop_never.attempted(), "stop event was never recorded"));

  fake::launch(stream.get(), 1);
  stop.record(stream);
  const auto not_done = error_of([&] { static_cast<void>(stop - start); });
  CHECK(not_done.code() == ge::errc::not_ready);
  CHECK(contains(not_done.attempted(), "stop event"));
  CHECK(contains(not_done.hint(), "synchronize()"));

  const auto two_gpus = error_of([&] { static_cast<void>(elsewhere - start); });
  CHECK(two_gpus.code() == ge::errc::invalid_argument);
  CHECK(contains(two_gpus.attempted(), "GPU 0"));
  CHECK(contains(two_gpus.attempted(), "GPU 1"));

  const std::set<std::string> texts{start_never.what(), stop_never.what(), not_done.what(), two_gpus.what()};
  CHECK(texts.size() == 4);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  stop.synchronize();
  CHECK((stop - start).count() == 1);
}

TEST_CASE_METHOD(on_fake_gpus, "an event is done when the work before it is, and before it was ever recorded",
                 "[cuda][event]") {
  cuda::stream stream{cuda::device_ref{0}};
  cuda::event point{cuda::device_ref{0}};
  CHECK(point.is_done());
  CHECK_FALSE(point.is_recorded());
  fake::launch(stream.get(), 1);
  point.record(stream);
  fake::launch(stream.get(), 1);
  CHECK(point.is_recorded());
  CHECK_FALSE(point.is_done());
  point.synchronize();
  CHECK(point.is_done());
  CHECK_FALSE(stream.is_done());  // waits for its own point, not for what comes after
}

TEST_CASE_METHOD(on_fake_gpus, "an event of one GPU is not recorded in a stream of another", "[cuda][event][B61]") {
  cuda::stream stream{cuda::device_ref{1}};
  cuda::event point{cuda::device_ref{0}};
  fake::clear_calls();
  const auto e = error_of([&] { point.record(stream); });
  CHECK(e.code() == ge::errc::invalid_argument);
  CHECK(contains(e.attempted(), "GPU 0 (Fake GPU 0)"));
  CHECK(contains(e.attempted(), "GPU 1 (Fake GPU 1)"));
  CHECK(fake::count("cudaEventRecord") == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "an event is recorded in the legacy stream of its GPU while another is current",
                 "[cuda][event][B61]") {
  const cuda::device_ref there{1};
  cuda::event point{there};
  CHECK_NOTHROW(point.record(cuda::stream_ref::legacy(there)));
  CHECK_NOTHROW(point.record(cuda::stream_ref::per_thread(there)));
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "events used and destroyed where no GPU is current make no context elsewhere",
                 "[cuda][event][B62]") {
  fake::make_current(std::nullopt);
  {
    cuda::stream stream{cuda::device_ref{1}};
    cuda::timed_event start{cuda::device_ref{1}};
    cuda::timed_event stop{cuda::device_ref{1}};
    start.record(stream);
    stop.record(stream);
    cuda::wait(stream, stop);
    stop.synchronize();
    CHECK(stop.is_done());
    CHECK((stop - start).count() == 0);
  }
  CHECK(fake::silent_contexts() == no_lines{});
  CHECK_FALSE(fake::current_gpu().has_value());
}

TEST_CASE_METHOD(on_fake_gpus, "a stream waits for an event of another GPU without the host waiting", "[cuda][event]") {
  cuda::stream producer{cuda::device_ref{0}};
  cuda::stream consumer{cuda::device_ref{1}};
  cuda::event point{cuda::device_ref{0}};
  std::vector<std::string> order;
  fake::launch(producer.get(), 1, {}, [&] { order.emplace_back("producer"); });
  point.record(producer);
  cuda::wait(consumer, point);
  fake::launch(consumer.get(), 1, {}, [&] { order.emplace_back("consumer"); });
  CHECK(order.empty());
  fake::run(consumer.get());
  CHECK(order.empty());
  consumer.synchronize();
  CHECK(order == std::vector<std::string>{"producer", "consumer"});
}

TEST_CASE_METHOD(on_fake_gpus, "an event that cannot be made or recorded says on which GPU and leaves nothing",
                 "[cuda][event][B61]") {
  fake::fail_next("cudaEventCreateWithFlags", cudaErrorMemoryAllocation);
  CHECK(contains(error_of([] { cuda::event{cuda::device_ref{1}}; }).attempted(), "GPU 1"));
  CHECK(fake::live_objects() == 0);
  CHECK(fake::current_gpu() == 0);

  cuda::stream stream{cuda::device_ref{1}};
  cuda::event point{cuda::device_ref{1}};
  fake::fail_next("cudaEventRecord", cudaErrorLaunchFailure);
  CHECK(error_of([&] { point.record(stream); }).code() == cuda::make_error_code(cudaErrorLaunchFailure));
  CHECK_FALSE(point.is_recorded());
  CHECK(fake::current_gpu() == 0);
}

TEST_CASE_METHOD(on_fake_gpus, "a moved event takes its point along and leaves nothing to destroy", "[cuda][event]") {
  cuda::stream stream{cuda::device_ref{0}};
  cuda::timed_event first{cuda::device_ref{0}};
  first.record(stream);
  cuda::timed_event second{std::move(first)};
  stream.synchronize();
  CHECK(second.is_recorded());
  CHECK((second - second).count() == 0);
  CHECK(first.get() == nullptr);  // NOLINT(bugprone-use-after-move): what is tested
  CHECK_FALSE(first.is_recorded());
  CHECK_THROWS_AS(first.record(stream), ge::error);
}

TEST_CASE_METHOD(on_fake_gpus, "move assignment of events loses and doubles none", "[cuda][event]") {
  {
    cuda::event target{cuda::device_ref{0}};
    cuda::event source{cuda::device_ref{1}};
    const cudaEvent_t handle = source.get();
    target = std::move(source);
    CHECK(target.get() == handle);
    CHECK(target.device() == cuda::device_ref{1});
  }
  CHECK(fake::count("cudaEventDestroy") == 2);
  CHECK(fake::live_objects() == 0);
}
