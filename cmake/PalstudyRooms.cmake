# SPDX-License-Identifier: MIT
# palstudy_room(<name> [DEPENDS ...] [PRIVATE ...]): the library of one folder of src/, palstudy_<name>.
# DEPENDS are rooms below it; PRIVATE are libraries that only its .cpp files may see.
function(palstudy_room name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  # Folders of which every file is registered (PalstudyRegister.cmake), and the program's own file.
  list(FILTER sources EXCLUDE REGEX "/(order|placement|backfill|routing|rules|forecasts|scheduler|readers|generators|cluster_sources|beliefs|importers|commands|sections|notes|main)/[^/]*$")
  if(NOT sources)
    file(WRITE ${CMAKE_BINARY_DIR}/generated/empty_${name}.cpp "")
    set(sources ${CMAKE_BINARY_DIR}/generated/empty_${name}.cpp)
  endif()
  add_library(palstudy_${name} STATIC ${sources})
  target_include_directories(palstudy_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  foreach(room IN LISTS ARG_DEPENDS)
    target_link_libraries(palstudy_${name} PUBLIC palstudy_${room})
  endforeach()
  target_link_libraries(palstudy_${name} PRIVATE palstudy_flags ${ARG_PRIVATE})
endfunction()
