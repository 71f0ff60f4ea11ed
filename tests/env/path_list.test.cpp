// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/error.hpp>
#include <gpuenv/env/path_list.hpp>
#include "support/catch.hpp"

namespace ge = gpuenv;
using ge::env::path_list;
using strings = std::vector<std::string>;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

const std::string cuda = "/usr/local/cuda/lib64";

std::string prepended(std::string_view value) { return to_string(path_list::parse(value).prepend(cuda)); }
std::string appended(std::string_view value) { return to_string(path_list::parse(value).append(cuda)); }

}  // namespace

TEST_CASE("a value that is empty as a whole has no element", "[env][path_list][B16]") {
  CHECK(path_list::parse("").elements().empty());
  CHECK(path_list::parse("") == path_list{});
  CHECK(to_string(path_list{}).empty());
  CHECK(path_list::parse("").findings("PATH").empty());
}

TEST_CASE("an empty element stays visible as the current directory", "[env][path_list][B16]") {
  CHECK(path_list::parse(":/x").elements() == strings{"", "/x"});
  CHECK(path_list::parse("/x:").elements() == strings{"/x", ""});
  CHECK(path_list::parse("/x::/y").elements() == strings{"/x", "", "/y"});
  CHECK(path_list::parse(":").elements() == strings{"", ""});
  CHECK(path_list::is_current_directory(""));
  CHECK(path_list::is_current_directory("."));
  CHECK(path_list::is_current_directory("./"));
  CHECK_FALSE(path_list::is_current_directory("/"));
  CHECK_FALSE(path_list::is_current_directory(".."));
  CHECK(path_list::parse("/x:").contains("."));
}

TEST_CASE("the elements of a temporary list outlive it in a loop", "[env][path_list]") {
  std::string all;
  for (const std::string& element : path_list::parse("/a folder of many letters:/b").elements()) all += element;
  CHECK(all == "/a folder of many letters/b");
}

TEST_CASE("a folder is added without an empty element", "[env][path_list][B16]") {
  CHECK(prepended("") == cuda);
  CHECK(appended("") == cuda);
  CHECK(prepended("/x") == cuda + ":/x");
  CHECK(appended("/x") == "/x:" + cuda);
  CHECK(prepended("/x:") == cuda + ":/x:.");  // what was empty keeps its meaning, and shows it
  CHECK(prepended(":/x") == cuda + ":.:/x");
  CHECK(appended("/x:") == "/x:.:" + cuda);
  CHECK(appended("/x::/y") == "/x:.:/y:" + cuda);
  CHECK(prepended(":") == cuda + ":.:.");
}

TEST_CASE("no list is ever written with an empty element", "[env][path_list][B16]") {
  for (const char* value : {"", ":", "::", ":/x", "/x:", "/x::/y", "/x", ":::/x:::", ".:", "/x:/:"}) {
    INFO(value);
    const path_list list = path_list::parse(value);
    for (path_list changed : {list, path_list{list}.prepend("/a"), path_list{list}.append("/a"),
                              path_list{list}.remove("/x"), path_list{list}.append(".")}) {
      const path_list again = path_list::parse(to_string(changed));
      CHECK(again.findings("PATH").empty());
      CHECK(again.elements().size() == changed.elements().size());
    }
  }
}

TEST_CASE("a folder that is there moves and is never there twice", "[env][path_list][B16]") {
  CHECK(prepended("/x:" + cuda + ":/y") == cuda + ":/x:/y");
  CHECK(appended(cuda + ":/x") == "/x:" + cuda);
  CHECK(prepended(cuda) == cuda);
  CHECK(prepended(cuda + ":/x:" + cuda + "/:" + cuda + "//") == cuda + ":/x");
  CHECK(to_string(path_list::parse("/x:").prepend(".")) == ".:/x");
  CHECK(to_string(path_list::parse("/:/x").append("/")) == "/x:/");
  CHECK(prepended(cuda + "-12:" + cuda + "/stubs") == cuda + ":" + cuda + "-12:" + cuda + "/stubs");
}

TEST_CASE("a folder is removed wherever it stands", "[env][path_list][B16]") {
  CHECK(to_string(path_list::parse("/a:/b:/a/:/c").remove("/a")) == "/b:/c");
  CHECK(to_string(path_list::parse("/a").remove("/a")).empty());
  CHECK(to_string(path_list::parse("/a").remove("/none")) == "/a");
  CHECK(to_string(path_list::parse("/a::./:/b:").remove(".")) == "/a:/b");
  path_list list = path_list::parse("/a:/b:/a:/c:/a");
  list.remove(list.elements()[0]);  // a view of what is being removed
  CHECK(to_string(list) == "/b:/c");
}

TEST_CASE("each empty element is found and placed", "[env][path_list][B16]") {
  const auto found = path_list::parse(":/x::/y:").findings("LD_LIBRARY_PATH");
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "path-list-empty-element");
  CHECK(found[0].level == ge::severity::warning);
  CHECK(contains(found[0].cause, "'LD_LIBRARY_PATH'"));
  CHECK(contains(found[0].cause, "current directory"));
  CHECK(found[0].evidence == strings{"element 1 of 5 is empty", "element 3 of 5 is empty, behind '/x'",
                                     "element 5 of 5 is empty, behind '/y'"});
  CHECK_FALSE(found[0].fix.empty());
  CHECK(path_list::parse("/x:.:/y").findings("PATH").empty());  // written on purpose
}

TEST_CASE("a hostile list gives one short finding", "[env][path_list]") {
  const auto found = path_list::parse(std::string(1U << 20U, ':')).findings("PATH");
  REQUIRE(found.size() == 1);
  CHECK(found[0].evidence.size() == 9);
  CHECK(found[0].evidence.back() == "and 1048569 more");
}

TEST_CASE("the loader's two separators are both read and one is written", "[env][path_list]") {
  const path_list list = path_list::parse("/a;/b:/c", ge::env::loader_separators);
  CHECK(list.elements() == strings{"/a", "/b", "/c"});
  CHECK(to_string(list) == "/a:/b:/c");
  CHECK(path_list::parse("/a;/b").elements() == strings{"/a;/b"});
  CHECK_THROWS_AS(path_list::parse("/a", ""), ge::error);
}

TEST_CASE("a folder that no list can hold is refused by name", "[env][path_list][B12]") {
  path_list list = path_list::parse("/x");
  for (const std::string& bad : {std::string{}, std::string{"/a:/b"}, std::string{":"}, std::string{"a\0b", 3}}) {
    INFO(bad);
    for (const bool is_first : {true, false}) {
      try {
        static_cast<void>(is_first ? list.prepend(bad) : list.append(bad));
        FAIL("it was taken");
      } catch (const ge::error& e) {
        CHECK(e.code() == ge::errc::invalid_argument);
        CHECK(contains(e.attempted(), bad.empty() ? "empty" : bad == "/a:/b" ? "'/a:/b'" : "folder '"));
        CHECK_FALSE(e.hint().empty());
      }
    }
  }
  CHECK(to_string(list) == "/x");
  CHECK_THROWS_AS(path_list::parse("/x", ge::env::loader_separators).append("/a;b"), ge::error);
}

TEST_CASE("bytes of a list that are no UTF-8 are kept", "[env][path_list]") {
  CHECK(to_string(path_list::parse("/\xff\xfe:/x y\t").append("/z")) == "/\xff\xfe:/x y\t:/z");
}
